import Foundation

/// Signals whose pitch, jitter and shimmer are known.
enum SyntheticVoice {
  /// A train of wavelets without a constant part, each symmetric around a sample.
  ///
  /// - Parameters:
  ///   - periods: the distances between consecutive wavelets, in samples, over and over.
  ///   - amplitudes: the wavelets' heights, over and over.
  static func pulses(seconds: Double, periods: [Int], amplitudes: [Double] = [0.5]) -> [Float] {
    var samples = [Double](repeating: 0, count: Int(seconds * 16000))
    var (place, number) = (40, 0)
    while place < samples.count {
      for offset in -30...30 where samples.indices.contains(place + offset) {
        let x = Double(offset) / 4
        samples[place + offset] += amplitudes[number % amplitudes.count] * (1 - x * x) * exp(-x * x / 2)
      }
      place += periods[number % periods.count]
      number += 1
    }
    return samples.map { Float($0) }
  }

  /// Ten harmonics of a fundamental frequency that may change over time.
  static func harmonics(seconds: Double, frequency: (Double) -> Double) -> [Float] {
    var phase = 0.0
    return (0..<Int(seconds * 16000)).map { index in
      phase += 2 * .pi * frequency((Double(index) + 0.5) / 16000) / 16000
      let sum = (1...10).reduce(0) { $0 + sin(Double($1) * phase) / Double($1) }
      return Float(0.3 * sum)
    }
  }

  /// White noise, the same every time.
  static func noise(seconds: Double, amplitude: Float = 0.3) -> [Float] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<Int(seconds * 16000)).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return amplitude * (Float(state >> 40) / Float(1 << 23) - 1)
    }
  }
}
