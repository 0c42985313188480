import Foundation

/// Interpolates a sampled function between its samples: a sum of sin(x)/x under a raised cosine, on a fixed grid.
///
/// The weights come from tables, so that a value is a plain sum of products.
struct SincInterpolation: Sendable {
  /// The number of samples on either side that contribute. The buffer must contain them.
  static let depth = 30

  /// The number of grid steps between two samples.
  static let steps = 8

  private let weights: [Double]

  init() {
    let depth = Self.depth
    weights = (0..<Self.steps).flatMap { step in
      (1 - depth...depth).map { neighbour in
        let x = Double(step) / Double(Self.steps) - Double(neighbour)
        let sinc = x == 0 ? 1 : sin(.pi * x) / (.pi * x)
        return sinc * (0.5 + 0.5 * cos(.pi * x / Double(depth + 1)))
      }
    }
  }

  /// The highest point near a sample that is higher than its neighbours.
  ///
  /// - Parameters:
  ///   - values: points at the sample; ``depth`` samples and one more on either side are read.
  /// - Returns: the distance from the sample, in samples, and the height.
  func maximum(around values: UnsafePointer<Double>) -> (offset: Double, height: Double) {
    let guess = Parabola(values[-1], values[0], values[1]).position
    var step = Int((guess * Double(Self.steps)).rounded())
    var (left, middle, right) = (value(values, step - 1), value(values, step), value(values, step + 1))
    // The guess is seldom off by more than a step. Never leave the two intervals beside the sample.
    while right > middle, step < Self.steps - 1 {
      step += 1
      (left, middle, right) = (middle, right, value(values, step + 1))
    }
    while left > middle, step > 1 - Self.steps {
      step -= 1
      (left, middle, right) = (value(values, step - 1), left, middle)
    }
    let parabola = Parabola(left, middle, right)
    return ((Double(step) + min(1, max(-1, parabola.position))) / Double(Self.steps), parabola.value)
  }

  private func value(_ values: UnsafePointer<Double>, _ step: Int) -> Double {
    // Floor division.
    let sample = step >= 0 ? step / Self.steps : -((Self.steps - 1 - step) / Self.steps)
    let phase = step - sample * Self.steps
    guard phase != 0 else { return values[sample] }
    let taps = 2 * Self.depth
    let first = values + (sample + 1 - Self.depth)
    return weights.withUnsafeBufferPointer { weights in
      var sum = 0.0
      for tap in 0..<taps { sum += first[tap] * weights[phase * taps + tap] }
      return sum
    }
  }
}

/// The extremum of the parabola through three values at -1, 0 and 1.
package struct Parabola: Sendable {
  /// The position of the extremum, from -1 to 1 if the middle value is the largest or the smallest.
  package let position: Double

  /// The value at the extremum.
  package let value: Double

  package init(_ left: Double, _ middle: Double, _ right: Double) {
    let curvature = 2 * middle - left - right
    // Three equal values have no extremum: use the middle.
    guard curvature != 0 else {
      position = 0
      value = middle
      return
    }
    position = (right - left) / (2 * curvature)
    value = middle + (right - left) * position / 4
  }
}
