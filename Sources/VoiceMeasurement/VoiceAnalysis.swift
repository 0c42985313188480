import Foundation

/// The measures that ``VoiceAnalyzer`` computes for an utterance.
package struct VoiceAnalysis: Sendable, Equatable {
  /// The fundamental frequency of each frame, in Hz; 0 if it is unvoiced.
  package let contour: PitchContour

  /// The probability that each frame is voiced, from 0 to 1; at least 0.5 exactly if it has a fundamental frequency.
  package let voicing: [Double]

  /// The jitter around each frame, in per cent; 0 if it is unvoiced.
  package let jitter: [Double]

  /// The shimmer around each frame, in decibels; 0 if it is unvoiced.
  package let shimmer: [Double]

  /// The glottal pulses, in seconds from the start of the audio, ascending.
  package let pulses: [Double]

  /// The jitter (local) of the whole utterance, in per cent; `nil` if it has too few glottal periods.
  package let utteranceJitter: Double?

  /// The shimmer (local, dB) of the whole utterance, in decibels; `nil` if it has too few glottal periods.
  package let utteranceShimmer: Double?

  package init(
    contour: PitchContour, voicing: [Double], jitter: [Double], shimmer: [Double], pulses: [Double] = [],
    utteranceJitter: Double? = nil, utteranceShimmer: Double? = nil
  ) {
    self.contour = contour
    self.voicing = voicing
    self.jitter = jitter
    self.shimmer = shimmer
    self.pulses = pulses
    self.utteranceJitter = utteranceJitter
    self.utteranceShimmer = utteranceShimmer
  }

  /// The number of frames: one for every 10 ms of audio, also for the incomplete last 10 ms.
  package var frameCount: Int { voicing.count }

  /// The natural logarithm of each frame's fundamental frequency divided by the median of all voiced frames;
  /// 0 if the frame is unvoiced.
  package var pitch: [Double] {
    guard let median = contour.median else { return contour.frequencies }
    return contour.frequencies.map { $0 > 0 ? log($0 / median) : 0 }
  }

  /// The first frame whose middle is not before a time, from 0 to the number of frames.
  package func frame(at time: TimeInterval) -> Int {
    let position = time / VoiceAnalyzer.frameDuration - 0.5
    guard position > 0 else { return 0 }
    // A time that equals a frame's middle in decimal may be slightly later in binary.
    return Int(min(Double(frameCount), (position - 1e-6).rounded(.up)))
  }
}
