/// Measures a voice: pitch, voicing, jitter and shimmer, one value of each for every 10 ms.
///
/// Time and memory are proportional to the length of the audio: about a hundredth of its duration in a release build, 20
/// bytes per sample during the analysis, and 40 bytes per frame for the result. An utterance is analyzed as a whole,
/// because the pitch of each frame depends on all others.
package struct VoiceAnalyzer: Sendable {
  /// The required sample rate, in Hz.
  package static let sampleRate = 16_000.0

  /// The distance between two frames, in seconds.
  package static let frameDuration = 0.01

  /// The distance between two frames, in samples.
  static let samplesPerFrame = 160

  /// Glottal periods within this distance of a frame's middle count for its jitter and shimmer, in seconds.
  static let perturbationReach = 0.05

  private let settings: PitchSettings
  private let pitch: AutocorrelationPitch

  package init() { self.init(settings: PitchSettings()) }

  init(settings: PitchSettings) {
    self.settings = settings
    pitch = AutocorrelationPitch(settings: settings)
  }

  /// Analyzes an utterance of 16 kHz mono audio in 16-bit samples.
  package func analyze(_ samples: some Collection<Int16>) -> VoiceAnalysis {
    analyze(VoiceSignal(samples.lazy.map { Double($0) / 32768 }))
  }

  /// Analyzes an utterance of 16 kHz mono audio in floating-point samples from -1 to 1.
  package func analyze(_ samples: some Collection<Float>) -> VoiceAnalysis {
    analyze(VoiceSignal(samples.lazy.map { Double($0) }))
  }

  private func analyze(_ signal: VoiceSignal) -> VoiceAnalysis {
    let path = PitchPath(through: pitch.candidates(in: signal), settings: settings)
    let contour = PitchContour(frequencies: path.frequencies)
    let pulses = GlottalPulses(in: signal, contour: contour).times
    let perturbation = Perturbation(pulses: pulses, in: signal)
    func whereVoiced(_ values: [Double]) -> [Double] {
      zip(values, path.frequencies).map { $1 > 0 ? $0 : 0 }
    }
    return VoiceAnalysis(
      contour: contour,
      voicing: path.voicing,
      jitter: whereVoiced(
        perturbation.jitter(frameCount: signal.frameCount, reach: Self.perturbationReach)),
      shimmer: whereVoiced(
        perturbation.shimmer(frameCount: signal.frameCount, reach: Self.perturbationReach)),
      pulses: pulses,
      utteranceJitter: perturbation.jitter,
      utteranceShimmer: perturbation.shimmer)
  }
}

/// The settings of the pitch tracker: Boersma (1993), section 4, with the standard values of Praat's "To Pitch (raw ac)".
struct PitchSettings: Sendable, Equatable {
  /// The lowest fundamental frequency, in Hz. The window has the length of three of its periods.
  var floor = 75.0

  /// The highest fundamental frequency, in Hz.
  var ceiling = 600.0

  /// The largest number of candidates for a frame, including the unvoiced one.
  var candidateLimit = 15

  /// A frame whose peak is below this share of the signal's peak is probably silent.
  var silenceThreshold = 0.03

  /// The strength of the unvoiced candidate, on the scale of the autocorrelation.
  var voicingThreshold = 0.45

  /// The cost for each octave that a candidate is below the highest frequency.
  var octaveCost = 0.01

  /// The cost of a jump by one octave from a frame to the next.
  var octaveJumpCost = 0.35

  /// The cost of a change between voiced and unvoiced.
  var voicedUnvoicedCost = 0.14
}
