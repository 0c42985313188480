import Foundation

/// How much a waveform repeats itself after a period of a voice: the normalized correlation of a window with the window one
/// period later.
package struct Periodicity: Sendable {
  /// Points of the waveforms per second: pitch needs only low frequencies.
  package static let rate = 4000

  /// Points that are compared.
  package let window: Int
  /// The periods of voices, in points.
  package let periods: ClosedRange<Int>

  package init(window: Int, periods: ClosedRange<Int>) {
    self.window = window
    self.periods = periods
  }

  /// The correlation with the window that begins a period after `first`: 1 if both are equal up to their loudness, and 0
  /// if it has no more energy than `floor`.
  package func correlation(
    _ points: UnsafeBufferPointer<Float>, from first: Int, period: Int, floor: Double = 0
  ) -> Double {
    let own = product(points, first, first)
    return own > floor ? correlation(points, from: first, of: own, period: period) : 0
  }

  /// - Parameter own: the energy of the window that begins at `first`.
  private func correlation(
    _ points: UnsafeBufferPointer<Float>, from first: Int, of own: Double, period: Int
  ) -> Double {
    let other = product(points, first + period, first + period)
    let energies = max(.leastNormalMagnitude, own * other)
    return product(points, first, first + period) / energies.squareRoot()
  }

  /// The period of the window that begins at `first`: the one with the greatest correlation, where a period of twice the
  /// length must be better by `octaveCost`; nil if no correlation is greater than `least`.
  package func period(
    of points: UnsafeBufferPointer<Float>, from first: Int, least: Double, octaveCost: Double
  ) -> Int? {
    let own = product(points, first, first)
    var best: (period: Int?, value: Double) = (nil, 0)
    for period in periods {
      let correlation = correlation(points, from: first, of: own, period: period)
      let value = correlation - octaveCost * log2(Double(period) / Double(periods.lowerBound))
      if correlation > least, value > best.value { best = (period, value) }
    }
    return best.period
  }

  private func product(_ points: UnsafeBufferPointer<Float>, _ first: Int, _ second: Int) -> Double {
    var (sum, index) = (0.0, 0)
    while index < window {
      sum += Double(points[first + index]) * Double(points[second + index])
      index += 1
    }
    return sum
  }
}
