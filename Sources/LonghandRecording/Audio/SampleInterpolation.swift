import Foundation
import LonghandTranscripts

/// Samples between samples, by a windowed sinc: for audio whose clock runs at another speed, and for tracks at a lower rate.
enum SampleInterpolation {
  /// Samples before and after the place that count.
  static let reach = 8
  private static let phases = 256
  /// The weights of `2 * reach` samples, for each part of the distance between two samples.
  private static let weights: [Float] = (0...phases).flatMap { phase in
    let row = (0..<2 * reach).map { tap -> Double in
      let x = Double(tap - reach + 1) - Double(phase) / Double(phases)
      guard abs(x) > 1e-9 else { return 1 }
      guard abs(x) < Double(reach) else { return 0 }
      return sin(.pi * x) / (.pi * x) * (0.5 + 0.5 * cos(.pi * x / Double(reach)))
    }
    let sum = row.reduce(0, +)
    return row.map { Float($0 / sum) }
  }

  /// Samples at equal distances.
  /// - Parameters:
  ///   - samples: what to read, with `reach` samples before the first place and after the last one.
  ///   - start: the first place, as an index into `samples`.
  ///   - step: the distance from one place to the next.
  ///   - count: how many.
  static func samples(_ samples: [Float], from start: Double, step: Double, count: Int) -> [Float] {
    samples.withUnsafeBufferPointer { samples in
      weights.withUnsafeBufferPointer { weights in
        (0..<count).map { index in
          let place = start + Double(index) * step
          let whole = Int(clamping: place.rounded(.down))
          let row = Int(clamping: ((place - Double(whole)) * Double(phases)).rounded()) * 2 * reach
          let first = whole - reach + 1
          var sum: Float = 0
          for tap in max(0, -first)..<max(0, -first, min(2 * reach, samples.count - first)) {
            sum += samples[first + tap] * weights[row + tap]
          }
          return sum
        }
      }
    }
  }
}
