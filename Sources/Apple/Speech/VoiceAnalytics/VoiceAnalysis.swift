import Foundation

/// What ``VoiceAnalyzer`` found in an utterance.
struct VoiceAnalysis: Sendable, Equatable {
  /// The fundamental frequency of each frame, in Hz; 0 where it is not voiced.
  let contour: PitchContour

  /// How likely each frame is voiced, from 0 to 1; 0.5 and more exactly where it has a fundamental frequency.
  let voicing: [Double]

  /// The jitter around each frame, in per cent; 0 where it is not voiced.
  let jitter: [Double]

  /// The shimmer around each frame, in decibels; 0 where it is not voiced.
  let shimmer: [Double]

  /// The glottal pulses, in seconds from the beginning of the audio, ascending.
  let pulses: [Double]

  /// The jitter (local) of the whole utterance, in per cent; `nil` if it has too few glottal periods.
  let utteranceJitter: Double?

  /// The shimmer (local, dB) of the whole utterance, in decibels; `nil` if it has too few glottal periods.
  let utteranceShimmer: Double?

  /// How many frames there are: one for every begun 10 ms of audio.
  var frameCount: Int { voicing.count }

  /// The natural logarithm of each frame's fundamental frequency divided by the median of all voiced frames;
  /// 0 where it is not voiced.
  var pitch: [Double] {
    guard let median = contour.median else { return contour.frequencies }
    return contour.frequencies.map { $0 > 0 ? log($0 / median) : 0 }
  }

  /// All frames, as Speech hands them out.
  var voiceAnalytics: SFVoiceAnalytics { voiceAnalytics(of: 0..<frameCount) }

  /// The frames whose middle lies within a part of the audio, such as a word, as Speech hands them out.
  ///
  /// The pitch is still relative to the whole utterance, so that words can be compared, and words that follow
  /// each other without a gap share no frame.
  ///
  /// - Parameters:
  ///   - start: seconds from the beginning of the analysed audio.
  ///   - duration: seconds.
  func voiceAnalytics(from start: TimeInterval, duration: TimeInterval) -> SFVoiceAnalytics {
    let first = frame(at: start)
    return voiceAnalytics(of: first..<max(first, frame(at: start + duration)))
  }

  /// The first frame whose middle is not before a time; within 0 and the number of frames.
  private func frame(at time: TimeInterval) -> Int {
    let position = time / VoiceAnalyzer.frameDuration - 0.5
    guard position > 0 else { return 0 }
    // A time that is a frame's middle in decimal may lie a hair behind it in binary.
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
