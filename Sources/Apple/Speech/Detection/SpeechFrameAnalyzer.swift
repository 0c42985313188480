import Foundation
import VoiceMeasurement

/// Measures the frames of an utterance as its audio comes.
///
/// Two frames share a Fourier transform, as its real and its imaginary part: that halves the cost, which is a
/// fiftieth of the recognizer's.
struct SpeechFrameAnalyzer {
  private static let length = 640
  /// Samples before a frame's position that belong to the frame.
  private static let lead = 240
  private static let bandCount = 20
  /// Periods in samples: 400 to 70 Hz.
  private static let lags = 40..<229
  private static let fourier = FourierTransform(atLeast: 1024)
  private static let window = (0..<length).map {
    0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(length))
  }
  /// The autocorrelation of the window.
  private static let windowCorrelation: [Double] = {
    let all = (0..<lags.upperBound).map { lag in
      (0..<length - lag).reduce(0.0) { $0 + window[$1] * window[$1 + lag] }
    }
    return all.map { $0 / all[0] }
  }()
  /// Longer periods cost a little: a sound that repeats also repeats after two periods.
  private static let octaveCost = lags.map { 0.02 * log2(Double($0) / Double(lags.lowerBound)) }
  private static let filters = MelFilters(
    bandCount, from: 100, to: 4000, sampleRate: SpeechSegmenter.sampleRate, points: fourier.count)

  private var highPass = HighPassFilter()
  /// Filtered samples; the first belongs to the next frame.
  private var samples: [Double]
  private var position: Int
  private var real = [Double](repeating: 0, count: fourier.count)
  private var imaginary = [Double](repeating: 0, count: fourier.count)

  /// - Parameter position: where the utterance begins, in samples of 16 kHz.
  init(at position: Int) {
    self.position = position
    samples = [Double](repeating: 0, count: Self.lead)
  }

  /// Takes more of the utterance; returns the frames that are complete.
  mutating func take(_ more: [Int16]) -> [SpeechFrame] {
    samples.reserveCapacity(samples.count + more.count)
    for sample in more { samples.append(highPass.next(sample)) }
    return frames()
  }

  /// Ends the utterance; returns its last frames.
  mutating func finish() -> [SpeechFrame] {
    let end = position + samples.count - Self.lead
    samples += [Double](repeating: 0, count: 2 * Self.length)
    return frames().filter { $0.position < end }
  }

  /// Removes complete frames from the samples, two at a time.
  private mutating func frames() -> [SpeechFrame] {
    var result: [SpeechFrame] = []
    var start = 0
    while samples.count - start >= Self.length + SpeechFrame.hop {
      result += pair(at: start)
      start += 2 * SpeechFrame.hop
      position += 2 * SpeechFrame.hop
    }
    samples.removeFirst(start)
    return result
  }

  private mutating func pair(at start: Int) -> [SpeechFrame] {
    let count = Self.fourier.count
    for index in 0..<Self.length {
      real[index] = samples[start + index] * Self.window[index]
      imaginary[index] = samples[start + SpeechFrame.hop + index] * Self.window[index]
    }
    for index in Self.length..<count { (real[index], imaginary[index]) = (0, 0) }
    transform()
    // The spectra of the two real signals, by the symmetry that each has.
    var (first, second) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
    for bin in 0...count / 2 {
      let mirror = (count - bin) % count
      let (a, b) = (real[bin] + real[mirror], imaginary[bin] - imaginary[mirror])
      let (c, d) = (imaginary[bin] + imaginary[mirror], real[mirror] - real[bin])
      first[bin] = (a * a + b * b) / 4
      second[bin] = (c * c + d * d) / 4
      first[mirror] = first[bin]
      second[mirror] = second[bin]
    }
    real = first
    imaginary = second
    // The transform of a power spectrum is the autocorrelation, which is real.
    transform()
    return [
      Self.frame(at: position, spectrum: first, correlation: real),
      Self.frame(at: position + SpeechFrame.hop, spectrum: second, correlation: imaginary),
    ]
  }

  private mutating func transform() {
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
        Self.fourier.transform(real, imaginary)
      }
    }
  }

  private static func frame(at position: Int, spectrum: [Double], correlation: [Double]) -> SpeechFrame {
    // A floor below the quantization step of a 16-bit sample.
    let powers = filters.powers(spectrum, floor: 1e-7)
    let (harmonicity, period) = period(of: correlation)
    return SpeechFrame(
      position: position, bands: powers.map { 10 * log10($0) }, level: 10 * log10(powers.reduce(0, +)),
      harmonicity: harmonicity, pitch: 12 * log2(Double(SpeechSegmenter.sampleRate) / period))
  }

  /// The strongest period in samples, and its strength.
  private static func period(of correlation: [Double]) -> (harmonicity: Double, period: Double) {
    // Scaled as the inverse transform is, so that silence is not periodic.
    let scale = 1 / (correlation[0] + 1e-9 * Double(fourier.count))
    let strengths = lags.map { correlation[$0] * scale / windowCorrelation[$0] }
    var best = 0
    for index in strengths.indices
    where strengths[index] - octaveCost[index] > strengths[best] - octaveCost[best] {
      best = index
    }
    // The top of the parabola through the neighbours.
    let middle = min(max(best, 1), strengths.count - 2)
    let (a, b, c) = (strengths[middle - 1], strengths[middle], strengths[middle + 1])
    let bend = a - 2 * b + c
    let offset = abs(bend) > 1e-9 ? min(0.5, max(-0.5, 0.5 * (a - c) / bend)) : 0
    return (strengths[best], Double(lags.lowerBound + middle) + offset)
  }
}

/// The measures of a frame of 40 ms. A frame begins every 20 ms.
struct SpeechFrame: Sendable {
  /// Samples of 16 kHz from one frame to the next.
  static let hop = 320

  /// The position of the frame, in samples of 16 kHz.
  var position: Int
  /// The levels of 20 bands between 100 and 4000 Hz, equally wide for the ear (mel), in dB.
  var bands: [Double]
  /// The level of all bands, in dB.
  var level: Double
  /// How periodic the audio is: about 1 for a sung note, 0 for noise.
  var harmonicity: Double
  /// The pitch, if there is one, in semitones above 1 Hz.
  var pitch: Double
}
