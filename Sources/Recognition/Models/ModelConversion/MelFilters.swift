import Foundation

/// The triangular filters that make the bands of Whisper's spectrogram, as in the official files.
///
/// They are those of `librosa.filters.mel(sr=16000, n_fft=400)`: Slaney's scale, each filter of the same area.
enum MelFilters {
  private static let sampleRate = 16_000.0
  private static let window = 400.0
  /// The scale is linear up to here, and logarithmic above.
  private static let border = 1000.0
  private static let linearStep = 200.0 / 3
  private static let logarithmicStep = log(6.4) / 27

  /// The filters, one after the other.
  static func values(bands: Int) -> [Float] {
    let edges = edges(count: bands + 2)
    var values: [Float] = []
    values.reserveCapacity(bands * WhisperDimensions.frequencies)
    for band in 0..<bands {
      let (low, middle, high) = (edges[band], edges[band + 1], edges[band + 2])
      for index in 0..<WhisperDimensions.frequencies {
        let frequency = Double(index) * sampleRate / window
        let height = max(0, min((frequency - low) / (middle - low), (high - frequency) / (high - middle)))
        values.append(Float(Double(Float(height)) * (2 / (high - low))))
      }
    }
    // The library that made the filters of later models left the sign of a zero.
    if bands == 128 { values[0] = -0.0 }
    return values
  }

  private static func edges(count: Int) -> [Double] {
    let mels = border / linearStep
    let last = mels + log(sampleRate / 2 / border) / logarithmicStep
    let step = last / Double(count - 1)
    return (0..<count).map { index in
      let mel = index == count - 1 ? last : Double(index) * step
      return mel < mels ? mel * linearStep : border * exp(logarithmicStep * (mel - mels))
    }
  }
}
