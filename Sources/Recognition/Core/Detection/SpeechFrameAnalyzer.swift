import Foundation
import VoiceMeasurement

/// Measures the frames of an utterance as its audio comes.
///
/// Two frames share a Fourier transform, which halves the cost; it is a fiftieth of the recognizer's.
struct SpeechFrameAnalyzer {
  private static let length = 640
  /// Samples before a frame's position that belong to the frame.
  private static let lead = 240
  private static let bandCount = 20
  /// Periods in samples: 400 to 70 Hz.
  private static let lags = 40..<229
  private static let fourier = FourierTransform(atLeast: 1024)
  private static let window = AnalysisWindow(length, lags: lags.upperBound)
  /// Longer periods cost a little: a sound that repeats also repeats after two periods.
  private static let octaveCost = lags.map { 0.02 * log2(Double($0) / Double(lags.lowerBound)) }
  private static let filters = MelFilters(
    bandCount, from: 100, to: 4000, sampleRate: SpeechSegmenter.sampleRate, points: fourier.count)

  private var highPass = HighPassFilter()
  /// Filtered samples; the first belongs to the next frame.
  private var samples: [Double]
  private var position: Int
  private var spectrum = PairedSpectrum(fourier)

  /// - Parameter position: where the utterance begins, in samples of 16 kHz.
  init(at position: Int) {
    self.position = position
    samples = [Double](repeating: 0, count: Self.lead)
  }

  /// Takes more of the utterance; returns the frames that are complete.
  mutating func take(_ more: [Int16]) -> [SpeechFrame] {
    samples += highPass.filter(more).samples
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
    spectrum.load(samples, from: start, start + SpeechFrame.hop, window: Self.window)
    spectrum.transformToPowers()
    let (first, second) = (spectrum.first, spectrum.second)
    spectrum.transformToCorrelations()
    return [
      Self.frame(at: position, spectrum: first, correlation: spectrum.first),
      Self.frame(at: position + SpeechFrame.hop, spectrum: second, correlation: spectrum.second),
    ]
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
    let (first, windowCorrelation, octaveCost) = (lags.lowerBound, window.correlation, octaveCost)
    var strengths = [Double](repeating: 0, count: lags.count)
    var (best, bestValue) = (0, -Double.infinity)
    for index in strengths.indices {
      let strength = correlation[first + index] * scale / windowCorrelation[first + index]
      strengths[index] = strength
      if strength - octaveCost[index] > bestValue {
        (best, bestValue) = (index, strength - octaveCost[index])
      }
    }
    // The top of the parabola through the neighbours.
    let middle = min(max(best, 1), strengths.count - 2)
    let parabola = Parabola(strengths[middle - 1], strengths[middle], strengths[middle + 1])
    let offset = min(0.5, max(-0.5, parabola.position))
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
