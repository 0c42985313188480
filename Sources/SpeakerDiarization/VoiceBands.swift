import Foundation
import VoiceMeasurement

/// The mel bands that networks for voices were trained with (Kaldi's), one frame every 10 ms: logarithms of the powers.
package struct VoiceBands {
  /// Bands of a frame.
  package static let count = 80
  /// Samples from one frame to the next, and samples of a frame.
  static let (hop, length) = (160, 400)
  private static let emphasis = 0.97
  private static let floor = 1.1920929e-7
  private static let fourier = FourierTransform(atLeast: 512)
  private static let window = (0..<length).map { index in
    pow(0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(length - 1)), 0.85)
  }
  private static let filters = MelFilters(
    count, from: 20, to: 8000, sampleRate: MelBands.sampleRate, points: fourier.count, isStraightInMel: true)

  private var spectrum = PairedSpectrum(fourier)

  /// The bands of frames that begin `hop` samples from each other.
  /// - Parameter samples: from the first frame's first sample to the last frame's last one.
  mutating func bands(of samples: ArraySlice<Float>) -> [Float] {
    let count = (samples.count - Self.length + Self.hop) / Self.hop
    guard count > 0 else { return [] }
    var bands: [Float] = []
    bands.reserveCapacity(count * Self.count)
    for frame in stride(from: 0, to: count, by: 2) {
      let start = samples.startIndex + frame * Self.hop
      Self.load(samples[start..<start + Self.length], &spectrum.first)
      let other = frame + 1 < count ? start + Self.hop : start
      Self.load(samples[other..<other + Self.length], &spectrum.second)
      spectrum.transformToPowers()
      Self.append(spectrum.first, to: &bands)
      if frame + 1 < count { Self.append(spectrum.second, to: &bands) }
    }
    return bands
  }

  private static func load(_ samples: ArraySlice<Float>, _ values: inout [Double]) {
    samples.withUnsafeBufferPointer { samples in
      values.withUnsafeMutableBufferPointer { values in
        let mean = samples.reduce(0) { $0 + Double($1) } / Double(length)
        var last = Double(samples[0]) - mean
        for index in 0..<length {
          let value = Double(samples[index]) - mean
          values[index] = (value - emphasis * last) * window[index]
          last = value
        }
        for index in length..<values.count { values[index] = 0 }
      }
    }
  }

  private static func append(_ spectrum: [Double], to bands: inout [Float]) {
    for power in filters.powers(spectrum, floor: 0) { bands.append(Float(log(max(power, floor)))) }
  }
}
