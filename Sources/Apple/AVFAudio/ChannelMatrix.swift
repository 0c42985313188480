/// The gain of each input channel in each output channel, output by output.
enum ChannelMatrix {
  /// The map of a fresh converter: one channel goes to all, else each to its own place, and what is missing is silent.
  static func usualMap(from input: Int, to output: Int) -> [Int] {
    (0..<output).map { input == 1 ? 0 : $0 < input ? $0 : -1 }
  }

  /// The gains of a map; nil where it changes nothing, so that samples can pass untouched.
  static func map(_ map: [Int], from input: Int) -> [Double]? {
    if map == Array(0..<input) { return nil }
    return map.flatMap { source in (0..<input).map { $0 == source ? 1 : 0 } }
  }

  /// A mix that loses no channel and cannot clip: channel c goes to output c modulo the outputs, at equal gain.
  static func downmix(from input: Int, to output: Int) -> [Double] {
    (0..<output).flatMap { target in
      let sources = (0..<input).filter { $0 % output == target }
      return (0..<input).map { sources.contains($0) ? 1 / Double(sources.count) : 0 }
    }
  }
}
