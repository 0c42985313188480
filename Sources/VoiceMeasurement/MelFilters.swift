import Foundation

/// Triangular filters over the bins of a spectrum, equally wide for the ear (mel).
package struct MelFilters: Sendable {
  /// For each filter, its first bin and the weights from there on.
  private let triangles: [(first: Int, weights: [Double])]

  /// - Parameters:
  ///   - count: the number of filters.
  ///   - low: where the first one begins, in Hz.
  ///   - high: where the last one ends, in Hz.
  ///   - sampleRate: the rate of the audio in Hz.
  ///   - points: the points of the Fourier transform.
  ///   - isStraightInMel: whether the sides of the triangles are straight over mel, as Kaldi has them, not over Hz.
  package init(
    _ count: Int, from low: Double, to high: Double, sampleRate: Int, points: Int,
    isStraightInMel: Bool = false
  ) {
    func mel(_ frequency: Double) -> Double { 1127 * log(1 + frequency / 700) }
    let (low, high) = (mel(low), mel(high))
    let edges = (0..<count + 2).map { index in
      let edge = low + (high - low) * Double(index) / Double(count + 1)
      return isStraightInMel ? edge : 700 * (exp(edge / 1127) - 1)
    }
    triangles = (0..<count).map { band in
      let weights = (0...points / 2).map { bin in
        let frequency = Double(bin) * Double(sampleRate) / Double(points)
        let place = isStraightInMel ? mel(frequency) : frequency
        let rise = (place - edges[band]) / (edges[band + 1] - edges[band])
        let fall = (edges[band + 2] - place) / (edges[band + 2] - edges[band + 1])
        return max(0, min(rise, fall))
      }
      let first = weights.firstIndex { $0 > 0 } ?? 0
      let last = weights.lastIndex { $0 > 0 } ?? 0
      return (first, Array(weights[first...last]))
    }
  }

  /// The power in each filter.
  /// - Parameters:
  ///   - spectrum: the power of each bin.
  ///   - floor: added to each power.
  package func powers(_ spectrum: [Double], floor: Double) -> [Double] {
    triangles.map { first, weights in
      weights.withUnsafeBufferPointer { weights in
        spectrum.withUnsafeBufferPointer { spectrum in
          var (power, index) = (floor, 0)
          while index < weights.count {
            power += weights[index] * spectrum[first + index]
            index += 1
          }
          return power
        }
      }
    }
  }
}
