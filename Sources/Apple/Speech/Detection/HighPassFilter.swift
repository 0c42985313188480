import Foundation

/// A second-order Butterworth high-pass at 100 Hz for 16 kHz audio: keeps hum, rumble and offset out of levels.
struct HighPassFilter {
  private static let (b0, b1, b2, a1, a2): (Double, Double, Double, Double, Double) = {
    // The bilinear transform of the analogue prototype.
    let k = tan(Double.pi * 100 / 16_000)
    let norm = 1 / (1 + 2.0.squareRoot() * k + k * k)
    return (norm, -2 * norm, norm, 2 * (k * k - 1) * norm, (1 - 2.0.squareRoot() * k + k * k) * norm)
  }()
  private var z1 = 0.0
  private var z2 = 0.0

  /// The next sample, where full scale is 1.
  mutating func next(_ sample: Int16) -> Double {
    let input = Double(sample) / 32_768
    let output = Self.b0 * input + z1
    z1 = Self.b1 * input - Self.a1 * output + z2
    z2 = Self.b2 * input - Self.a2 * output
    return output
  }

  /// The mean square of a filtered frame, where full scale is 1.
  mutating func energy(of frame: [Int16]) -> Double {
    var sum = 0.0
    for sample in frame {
      let output = next(sample)
      sum += output * output
    }
    return sum / Double(max(1, frame.count))
  }
}
