import RecognitionCore
import Foundation
import Synchronization
import VoiceMeasurement

/// The voice analytics of an utterance, computed at the first use and then kept.
final class UtteranceAnalytics: Sendable {
  private let audio: UtteranceAudio
  private let known = Mutex<VoiceAnalysis?>(nil)

  init(audio: UtteranceAudio) { self.audio = audio }

  /// Where the utterance begins, in seconds from the start of the audio.
  var start: TimeInterval { Double(audio.start) / Double(SpeechSegmenter.sampleRate) }

  /// The voice in the whole utterance.
  var analysis: VoiceAnalysis {
    known.withLock { known in
      let analysis = known ?? VoiceAnalyzer().analyze(audio.samples)
      known = analysis
      return analysis
    }
  }

  /// The voice of several utterances on one clock, from `start` (seconds) on for `duration` seconds; what
  /// lies between the utterances is not voiced.
  static func joined(
    _ utterances: [UtteranceAnalytics], from start: TimeInterval, duration: TimeInterval
  ) -> SFVoiceAnalytics {
    let count = max(0, Int((duration / VoiceAnalyzer.frameDuration).rounded()))
    let silence = [Double](repeating: 0, count: count)
    var (frequencies, voicing, jitter, shimmer) = (silence, silence, silence, silence)
    for utterance in utterances {
      let analysis = utterance.analysis
      let offset = Int(((utterance.start - start) / VoiceAnalyzer.frameDuration).rounded())
      for frame in 0..<analysis.frameCount where silence.indices.contains(frame + offset) {
        frequencies[frame + offset] = analysis.contour.frequencies[frame]
        voicing[frame + offset] = analysis.voicing[frame]
        jitter[frame + offset] = analysis.jitter[frame]
        shimmer[frame + offset] = analysis.shimmer[frame]
      }
    }
    return VoiceAnalysis(
      contour: PitchContour(frequencies: frequencies), voicing: voicing, jitter: jitter, shimmer: shimmer
    ).voiceAnalytics
  }
}
