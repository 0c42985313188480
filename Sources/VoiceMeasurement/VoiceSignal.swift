/// The audio under analysis: 16 kHz mono without its constant part, divided into frames of 10 ms.
///
/// Sample `i` is at the time `(i + 0.5) / sampleRate`, frame `i` at `(i + 0.5) * frameDuration`. Before the first sample and
/// after the last one there is silence.
struct VoiceSignal: Sendable {
  let samples: [Double]

  /// The largest absolute value.
  let peak: Double

  /// The number of frames that cover all samples. The last one may be partly silence.
  let frameCount: Int

  /// Stores the samples minus their mean. Values that are not finite count as silence.
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

  /// The position of a time, in seconds, on the scale of sample indices.
  static func position(of time: Double) -> Double { time * VoiceAnalyzer.sampleRate - 0.5 }

  /// The time, in seconds, of a position on the scale of sample indices.
  static func time(of position: Double) -> Double { (position + 0.5) / VoiceAnalyzer.sampleRate }
}
