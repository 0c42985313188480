import Foundation

/// The measures that ``VoiceAnalyzer`` computes for an utterance.
struct VoiceAnalysis: Sendable, Equatable {
  /// The fundamental frequency of each frame, in Hz; 0 if it is unvoiced.
  let contour: PitchContour

  /// The probability that each frame is voiced, from 0 to 1; at least 0.5 exactly if it has a fundamental frequency.
  let voicing: [Double]

  /// The jitter around each frame, in per cent; 0 if it is unvoiced.
  let jitter: [Double]

  /// The shimmer around each frame, in decibels; 0 if it is unvoiced.
  let shimmer: [Double]

  /// The glottal pulses, in seconds from the start of the audio, ascending.
  let pulses: [Double]

  /// The jitter (local) of the whole utterance, in per cent; `nil` if it has too few glottal periods.
  let utteranceJitter: Double?

  /// The shimmer (local, dB) of the whole utterance, in decibels; `nil` if it has too few glottal periods.
  let utteranceShimmer: Double?

  /// The number of frames: one for every 10 ms of audio, also for the incomplete last 10 ms.
  var frameCount: Int { voicing.count }

  /// The natural logarithm of each frame's fundamental frequency divided by the median of all voiced frames;
  /// 0 if the frame is unvoiced.
  var pitch: [Double] {
    guard let median = contour.median else { return contour.frequencies }
    return contour.frequencies.map { $0 > 0 ? log($0 / median) : 0 }
  }

  /// All frames, as the public type.
  var voiceAnalytics: SFVoiceAnalytics { voiceAnalytics(of: 0..<frameCount) }

  /// The frames whose middle is in a range of the audio, such as a word, as the public type.
  ///
  /// The pitch stays relative to the whole utterance, so that words can be compared. Consecutive words share no frame.
  ///
  /// - Parameters:
  ///   - start: seconds from the start of the audio.
  ///   - duration: seconds.
  func voiceAnalytics(from start: TimeInterval, duration: TimeInterval) -> SFVoiceAnalytics {
    let first = frame(at: start)
    return voiceAnalytics(of: first..<max(first, frame(at: start + duration)))
  }

  /// The first frame whose middle is not before a time, from 0 to the number of frames.
  private func frame(at time: TimeInterval) -> Int {
    let position = time / VoiceAnalyzer.frameDuration - 0.5
    guard position > 0 else { return 0 }
    // A time that equals a frame's middle in decimal may be slightly later in binary.
    return Int(min(Double(frameCount), (position - 1e-6).rounded(.up)))
  }

  private func voiceAnalytics(of frames: Range<Int>) -> SFVoiceAnalytics {
    func feature(_ values: [Double]) -> SFAcousticFeature {
      SFAcousticFeature(values: Array(values[frames]), frameDuration: VoiceAnalyzer.frameDuration)
    }
    return SFVoiceAnalytics(
      jitter: feature(jitter), shimmer: feature(shimmer), pitch: feature(pitch), voicing: feature(voicing))
  }
}
