import Foundation
import LonghandRecording
import LonghandTranscripts

/// Evidence of who speaks in a transcribed recording: the echoes in its channels and, if they were requested,
/// its voices.
package struct SpeakerEvidence: Sendable {
  private let echoes: [EchoWord]
  private let voices: VoiceTurns?
  /// What readers should know of it.
  package let warnings: [TranscriptWarning]
  /// Who speaks when, by the number of voices, if it was asked for and can be said; see `TurnsByNumber`.
  package var turnsByNumber: TurnsByNumber? { voices?.byNumber }
  /// Whether the voices were separated.
  package var hasVoices: Bool { voices != nil }

  /// Listens to the audio.
  /// - Parameters:
  ///   - audio: the audio of all segments.
  ///   - segments: what was recognized.
  ///   - wordless: seconds of speech without recognized words, in the mix.
  ///   - count: how many voices there are; nil if they need not be separated.
  ///   - remembered: the file of the remembered voices; nil to recognize no voice.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  package init(
    of audio: any AudioSource, _ segments: [Segment], wordless: [ClosedRange<TimeInterval>],
    voices count: VoiceCount?, remembered: URL?
  ) async throws {
    echoes = try await EchoWord.all(in: audio, segments)
    if let count {
      voices = try await VoiceTurns(
        of: audio, echoes.removed(from: segments), wordless: wordless, count, remembered: remembered)
    } else {
      voices = nil
    }
    warnings = voices?.warnings(of: audio) ?? []
  }

  /// Replaces what was found before by this.
  package func add(to speakers: inout SessionSpeakers) {
    speakers.echoes = echoes
    voices?.add(to: &speakers)
  }
}
