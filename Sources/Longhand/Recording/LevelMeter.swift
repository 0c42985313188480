import Foundation

/// How loud sound is.
enum LevelMeter {
  /// The root mean square of samples in dBFS, where a square wave of full scale has 0.
  /// - Parameter samples: 16 bits each, the little end first.
  /// - Returns: minus infinity for digital silence and for no sample at all.
  static func decibels(_ samples: Data) -> Double {
    let samples = RecordingFormat.samples(in: samples)
    guard !samples.isEmpty else { return -.infinity }
    let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * log10(sum / Double(samples.count) / (32_768 * 32_768))
  }
}
