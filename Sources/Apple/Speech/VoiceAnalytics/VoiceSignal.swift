/// The audio under analysis: 16 kHz mono without its constant part, laid out in frames of 10 ms.
///
/// Sample `i` stands for the time `(i + 0.5) / sampleRate`, frame `i` for `(i + 0.5) * frameDuration`.
/// There is silence before the first sample and after the last.
struct VoiceSignal: Sendable {
  let samples: [Double]

  /// The largest absolute value.
  let peak: Double

  /// How many frames it takes to cover every sample; the last one may be partly silence.
  let frameCount: Int

  /// Takes over the samples, less their mean. Values that are not finite count as silence.
  init(_ samples: some Collection<Double>) {
    let finite = samples.map { $0.isFinite ? $0 : 0 }
    let mean = finite.isEmpty ? 0 : finite.reduce(0, +) / Double(finite.count)
    let centred = finite.map { $0 - mean }
    self.samples = centred
    peak = centred.reduce(0) { max($0, abs($1)) }
    frameCount = (finite.count + VoiceAnalyzer.samplesPerFrame - 1) / VoiceAnalyzer.samplesPerFrame
  }

  /// The time of a frame's middle, in seconds.
  static func time(ofFrame frame: Int) -> Double {
    (Double(frame) + 0.5) * VoiceAnalyzer.frameDuration
  }

  /// Where a time, in seconds, lies on the scale of sample indices.
  static func position(of time: Double) -> Double { time * VoiceAnalyzer.sampleRate - 0.5 }

  /// The time, in seconds, of a position on the scale of sample indices.
  static func time(of position: Double) -> Double { (position + 0.5) / VoiceAnalyzer.sampleRate }
}
