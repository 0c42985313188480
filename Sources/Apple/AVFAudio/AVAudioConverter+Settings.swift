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

  /// What the settings mean for swresample. Called under the lock.
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
