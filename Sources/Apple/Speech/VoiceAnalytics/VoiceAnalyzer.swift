/// Measures a voice: pitch, voicing, jitter and shimmer, one value of each for every 10 ms.
///
/// The time taken is proportional to the length of the audio, about a hundredth of it in a release build, and
/// so is the memory: some 20 bytes a sample while measuring, 40 bytes a frame for the result. A whole
/// utterance is analysed at once, since each frame's pitch is chosen in the light of all the others.
struct VoiceAnalyzer: Sendable {
  /// The only sample rate that is understood, in Hz.
  static let sampleRate = 16_000.0

  /// The distance between two frames, in seconds.
  static let frameDuration = 0.01

  /// The distance between two frames, in samples.
  static let samplesPerFrame = 160

  /// How far from a frame's middle glottal periods count for its jitter and shimmer, in seconds.
  static let perturbationReach = 0.05

  private let settings: PitchSettings
  private let pitch: AutocorrelationPitch

  init(settings: PitchSettings = PitchSettings()) {
    self.settings = settings
    pitch = AutocorrelationPitch(settings: settings)
  }

  /// Analyses an utterance of 16 kHz mono audio in 16-bit samples.
  func analyze(_ samples: some Collection<Int16>) -> VoiceAnalysis {
    analyze(VoiceSignal(samples.lazy.map { Double($0) / 32768 }))
  }

  /// Analyses an utterance of 16 kHz mono audio in floating-point samples from -1 to 1.
  func analyze(_ samples: some Collection<Float>) -> VoiceAnalysis {
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
