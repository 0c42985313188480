import Foundation

/// The discrete Fourier transform of a complex signal whose length is a power of two, in place.
///
/// The radix-2 algorithm of Cooley and Tukey, decimation in time, with precomputed tables.
package struct FourierTransform: Sendable {
  /// The number of points.
  package let count: Int

  private let reversed: [Int]
  private let cosines: [Double]
  private let sines: [Double]

  /// Creates a transform for at least `points` points.
  package init(atLeast points: Int) {
    var count = 2
    while count < points { count *= 2 }
    self.count = count
    let bits = count.trailingZeroBitCount
    reversed = (0..<count).map { index in
      (0..<bits).reduce(0) { $0 | ((index >> $1) & 1) << (bits - 1 - $1) }
    }
    cosines = (0..<count / 2).map { cos(2 * Double.pi * Double($0) / Double(count)) }
    sines = (0..<count / 2).map { -sin(2 * Double.pi * Double($0) / Double(count)) }
  }

  /// Replaces the signal by its transform, without scaling.
  ///
  /// - Parameters:
  ///   - real: the real parts, at least ``count`` of them.
  ///   - imaginary: the imaginary parts, at least ``count`` of them.
  package func transform(_ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>) {
    reversed.withUnsafeBufferPointer { reversed in
      for index in 0..<count where index < reversed[index] {
        let other = reversed[index]
        (real[index], real[other]) = (real[other], real[index])
        (imaginary[index], imaginary[other]) = (imaginary[other], imaginary[index])
      }
    }
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        var half = 1
        while half < count {
          let turn = count / (2 * half)
          var start = 0
          while start < count {
            var factor = 0
            for low in start..<start + half {
              let high = low + half
              let (c, s) = (cosines[factor], sines[factor])
              let a = real[high] * c - imaginary[high] * s
              let b = real[high] * s + imaginary[high] * c
              real[high] = real[low] - a
              imaginary[high] = imaginary[low] - b
              real[low] += a
              imaginary[low] += b
              factor += turn
            }
            start += 2 * half
          }
          half *= 2
        }
      }
    }
  }
}
