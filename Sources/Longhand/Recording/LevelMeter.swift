import Foundation

/// How loud sound is.
enum LevelMeter {
  /// The root mean square of samples in dBFS, where a square wave of full scale has 0.
  /// - Parameter samples: 16 bits each, the little end first.
  /// - Returns: minus infinity for digital silence and for no sample at all.
  static func decibels(_ samples: Data) -> Double {
    let count = samples.count / RecordingFormat.sampleBytes
    guard count > 0 else { return -.infinity }
    let sum = samples.withUnsafeBytes { bytes in
      (0..<count).reduce(0.0) { sum, index in
        let sample = Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
        return sum + Double(sample) * Double(sample)
      }
    }
    return 10 * log10(sum / Double(count) / (32_768 * 32_768))
  }
}
