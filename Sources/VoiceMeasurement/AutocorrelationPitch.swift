import Foundation

/// Finds each frame's pitch candidates: Boersma (1993), steps 3.1 to 3.11.
///
/// The autocorrelation of a windowed frame, divided by the autocorrelation of the window, estimates the autocorrelation of
/// the signal. Its maxima are candidates for the period.
struct AutocorrelationPitch: Sendable {
  private let settings: PitchSettings
  private let transform: FourierTransform
  private let interpolation = SincInterpolation()
  private let window: AnalysisWindow
  /// One over the window's autocorrelation, for lags from 0, scaled to 1 there.
  private let correction: [Double]
  private let lags: ClosedRange<Int>
  /// Half the longest period, in samples.
  private let halfPeriod: Int

  init(settings: PitchSettings) {
    self.settings = settings
    let longestPeriod = VoiceAnalyzer.sampleRate / settings.floor
    halfPeriod = Int(longestPeriod / 2)
    let length = 2 * Int(1.5 * longestPeriod)
    let shortest = max(2, Int(VoiceAnalyzer.sampleRate / settings.ceiling))
    let longest = max(shortest, Int(longestPeriod.rounded(.up)))
    lags = shortest...longest
    let lagCount = longest + SincInterpolation.depth + 2
    transform = FourierTransform(atLeast: length + lagCount)
    window = AnalysisWindow(length, lags: lagCount)
    correction = window.correlation.map { 1 / $0 }
  }

  /// The candidates of every frame of the signal; the first of each frame is the unvoiced one.
  func candidates(in signal: VoiceSignal) -> [[PitchCandidate]] {
    var frames: [[PitchCandidate]] = []
    frames.reserveCapacity(signal.frameCount)
    var pair = PairedSpectrum(transform)
    // Autocorrelations are real, so two frames share each transform.
    for frame in stride(from: 0, to: signal.frameCount, by: 2) {
      let first = load(frame, of: signal, into: &pair.first)
      let second = load(frame + 1, of: signal, into: &pair.second)
      pair.transformToPowers()
      pair.transformToCorrelations()
      frames.append(candidates(from: pair.first, intensity: first))
      if frame + 1 < signal.frameCount { frames.append(candidates(from: pair.second, intensity: second)) }
    }
    return frames
  }

  /// Writes the windowed samples of a frame into `values`.
  /// - Returns: the frame's largest absolute value divided by that of the whole signal.
  private func load(_ index: Int, of signal: VoiceSignal, into values: inout [Double]) -> Double {
    let window = window.values
    let middle = index * VoiceAnalyzer.samplesPerFrame + VoiceAnalyzer.samplesPerFrame / 2
    let start = middle - window.count / 2
    let inside = max(0, -start)..<max(max(0, -start), min(window.count, signal.samples.count - start))
    for index in values.indices { values[index] = 0 }
    for index in inside { values[index] = signal.samples[start + index] }
    // The mean is taken over the two longest periods around the middle; the peak, after windowing, over one.
    let centre = window.count / 2
    let meanRange = centre - 2 * halfPeriod..<centre + 2 * halfPeriod
    let mean = values[meanRange].reduce(0, +) / Double(meanRange.count)
    for index in window.indices { values[index] = (values[index] - mean) * window[index] }
    let peakRange = centre - halfPeriod..<centre + halfPeriod
    let peak = values[peakRange].reduce(0) { max($0, abs($1)) }
    return signal.peak > 0 ? min(1, peak / signal.peak) : 0
  }

  private func candidates(from correlation: [Double], intensity: Double) -> [PitchCandidate] {
    let quietness = intensity * (1 + settings.voicingThreshold) / settings.silenceThreshold
    let unvoiced = PitchCandidate(
      frequency: 0, strength: settings.voicingThreshold + max(0, 2 - quietness))
    guard intensity > 0, correlation[0] > 0 else { return [unvoiced] }

    // Lags from -margin on, because the interpolation uses both sides of a maximum.
    let margin = SincInterpolation.depth
    var curve = [Double](repeating: 0, count: margin + correction.count)
    for lag in correction.indices {
      let value = correlation[lag] / correlation[0] * correction[lag]
      curve[margin + lag] = value
      if lag <= margin { curve[margin - lag] = value }
    }
    return curve.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return [unvoiced] }
      return [unvoiced] + voiced(in: base + margin)
    }
  }

  private func voiced(in curve: UnsafePointer<Double>) -> [PitchCandidate] {
    // Maxima below half the threshold always lose against the unvoiced candidate.
    let least = settings.voicingThreshold / 2
    var maxima: [(lag: Int, strength: Double)] = []
    for lag in lags where curve[lag] > least && curve[lag] > curve[lag - 1] && curve[lag] >= curve[lag + 1] {
      let parabola = Parabola(curve[lag - 1], curve[lag], curve[lag + 1])
      maxima.append((lag, strength(parabola.value, period: Double(lag) + parabola.position)))
    }
    maxima.sort { $0.strength > $1.strength }
    return maxima.prefix(settings.candidateLimit - 1).compactMap { maximum in
      let (offset, height) = interpolation.maximum(around: curve + maximum.lag)
      let period = Double(maximum.lag) + offset
      let frequency = VoiceAnalyzer.sampleRate / period
      guard frequency >= settings.floor, frequency <= settings.ceiling else { return nil }
      return PitchCandidate(frequency: frequency, strength: strength(height, period: period))
    }
  }

  /// The height of a maximum minus the cost of its octave. Noise and interpolation can raise a maximum above 1, which no
  /// correlation can reach; then its reciprocal is used.
  private func strength(_ height: Double, period: Double) -> Double {
    let height = height > 1 ? 1 / height : height
    return height - settings.octaveCost * log2(settings.ceiling * period / VoiceAnalyzer.sampleRate)
  }
}
