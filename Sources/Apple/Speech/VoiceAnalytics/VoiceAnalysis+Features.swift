import Foundation
import VoiceMeasurement

// What was measured, as the public type.
extension VoiceAnalysis {
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

  private func voiceAnalytics(of frames: Range<Int>) -> SFVoiceAnalytics {
    func feature(_ values: [Double]) -> SFAcousticFeature {
      SFAcousticFeature(values: Array(values[frames]), frameDuration: VoiceAnalyzer.frameDuration)
    }
    return SFVoiceAnalytics(
      jitter: feature(jitter), shimmer: feature(shimmer), pitch: feature(pitch), voicing: feature(voicing))
  }
}
