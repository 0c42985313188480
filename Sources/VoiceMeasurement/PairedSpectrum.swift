/// The power spectra and the autocorrelations of two real signals at the cost of one: they share each Fourier transform, as
/// its real and its imaginary part.
package struct PairedSpectrum {
  /// The two signals; after ``transformToPowers()`` their powers, and after ``transformToCorrelations()`` their
  /// autocorrelations. Each has as many values as the transform.
  package var first: [Double]
  package var second: [Double]

  private let transform: FourierTransform

  /// Signals of zeros.
  package init(_ transform: FourierTransform) {
    self.transform = transform
    first = Array(repeating: 0, count: transform.count)
    second = first
  }

  /// Replaces the signals by two windowed parts of `samples`.
  /// - Parameters:
  ///   - start: the first sample of the first part.
  ///   - otherStart: the first sample of the second part.
  package mutating func load(
    _ samples: [Double], from start: Int, _ otherStart: Int, window: AnalysisWindow
  ) {
    let (values, count) = (window.values, transform.count)
    apply { first, second in
      for index in values.indices {
        first[index] = samples[start + index] * values[index]
        second[index] = samples[otherStart + index] * values[index]
      }
      (first + values.count).update(repeating: 0, count: count - values.count)
      (second + values.count).update(repeating: 0, count: count - values.count)
    }
  }

  /// Replaces the signals by the powers of their spectra.
  package mutating func transformToPowers() {
    apply { [transform] real, imaginary in
      transform.transform(real, imaginary)
      // The spectrum of a real signal is conjugate symmetric, which separates the two.
      for low in 0...transform.count / 2 {
        let high = (transform.count - low) & (transform.count - 1)
        let (a, b) = (real[low] + real[high], imaginary[low] - imaginary[high])
        let (c, d) = (imaginary[low] + imaginary[high], real[high] - real[low])
        let (firstPower, secondPower) = ((a * a + b * b) / 4, (c * c + d * d) / 4)
        (real[low], real[high]) = (firstPower, firstPower)
        (imaginary[low], imaginary[high]) = (secondPower, secondPower)
      }
    }
  }

  /// Replaces the powers by autocorrelations, unscaled: the transform of a power spectrum is real.
  package mutating func transformToCorrelations() { apply { [transform] in transform.transform($0, $1) } }

  private mutating func apply(
    _ body: (UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>) -> Void
  ) {
    first.withUnsafeMutableBufferPointer { first in
      second.withUnsafeMutableBufferPointer { second in
        guard let first = first.baseAddress, let second = second.baseAddress else { return }
        body(first, second)
      }
    }
  }
}
