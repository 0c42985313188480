import AudioDecoding

extension AVAudioConverter {
  /// The properties that a client may set.
  struct Settings {
    var channelMap: [Int]
    var isDownmixing = false
    var isDithered = false
    var quality = AVAudioQuality.medium.rawValue
    var algorithm: String?
    var primeMethod = AVAudioConverterPrimeMethod.normal
    var primeInfo = AVAudioConverterPrimeInfo()
  }

  /// The settings as options of swresample. The caller holds the lock.
  var options: SampleConverter.Options {
    var options = SampleConverter.Options()
    let isMastering = settings.algorithm == AVSampleRateConverterAlgorithm_Mastering
    let quality = isMastering ? AVAudioQuality.max.rawValue : settings.quality
    options.filterSize = quality < 32 ? 8 : quality < 64 ? 16 : quality < 96 ? 32 : 64
    options.isDithered = settings.isDithered
    let (from, to) = (Int(input.channels), Int(output.channels))
    options.matrix =
      settings.isDownmixing && from > to
      ? ChannelMatrix.downmix(from: from, to: to)
      : ChannelMatrix.map(settings.channelMap, from: from)
    return options
  }
}

/// Computes the gain of each input channel in each output channel, output by output.
enum ChannelMatrix {
  /// The map of a new converter. A single channel goes to all outputs; else each channel keeps its index, and outputs
  /// without an input are silent.
  static func usualMap(from input: Int, to output: Int) -> [Int] {
    (0..<output).map { input == 1 ? 0 : $0 < input ? $0 : -1 }
  }

  /// The gains of a map; nil if the map changes nothing, so that samples need no computation.
  static func map(_ map: [Int], from input: Int) -> [Double]? {
    if map == Array(0..<input) { return nil }
    return map.flatMap { source in (0..<input).map { $0 == source ? 1 : 0 } }
  }

  /// A mix that uses every channel and cannot clip: channel c goes to output c modulo the number of outputs, and the
  /// channels of one output have equal gain.
  static func downmix(from input: Int, to output: Int) -> [Double] {
    (0..<output).flatMap { target in
      let sources = (0..<input).filter { $0 % output == target }
      return (0..<input).map { sources.contains($0) ? 1 / Double(sources.count) : 0 }
    }
  }
}
