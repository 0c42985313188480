import Foundation
import LonghandRecording
import LonghandTranscription
import LonghandTranscripts

/// Separation of voices in sessions that are transcribed already.
extension Library {
  /// Separates the voices of a session by their sound. Nothing is transcribed again. If their number is given and they were heard
  /// before, they are not heard again, unless voices are remembered. Voices that speak at the same times as before keep their
  /// names, and what a person said stays.
  /// - Parameters:
  ///   - id: the ID of a session that is completely transcribed.
  ///   - count: how many voices there are in the mix. In channels that were transcribed one by one the number is found, so none
  ///     can be given.
  ///   - remembered: the file of the remembered voices, see `RememberedVoices`; nil to recognize no voice.
  /// - Returns: what readers should know of it.
  /// - Throws: `TranscriptionError`, `RecordingError`, `StoreError`, `CancellationError`, `WorkStopped`, and what
  ///   `checkSeparation(of:into:)` throws. After an error the session is unchanged.
  @discardableResult public func separateVoices(
    in id: String, _ count: VoiceCount, remembered: URL? = nil
  ) async throws -> [TranscriptWarning] {
    let session = try store.session(matching: id)
    try checkSeparation(of: session.id, into: count)
    return try await stoppable(session.id) {
      let (hold, manifest, audio) = try heldAudio(of: session.id)
      defer { hold.close() }
      let isKnown = try setNumber(of: session.id, count, remembered: remembered)
      let warnings =
        isKnown
        ? []
        : try await labelSpeakers(
          of: session.id, in: manifest.read(audio), count, remembered: remembered)
      let others = (manifest.warnings ?? []).filter {
        $0.code.isOfTranscription && !$0.code.isOfVoices
      }
      try recording(of: session.id).replaceWarnings(ofTranscription: others + warnings)
      return warnings
    }
  }

  /// Checks whether the voices of a session can be separated into so many.
  /// - Parameter session: the ID of the session.
  /// - Throws: `StoreError`; `SpeakerError.separateChannels` if a number is given and the channels were transcribed one by one.
  package func checkSeparation(of session: String, into count: VoiceCount) throws {
    if count.number != nil, try store.hasChannels(session) { throw SpeakerError.separateChannels }
  }

  /// Gives a session a number of voices by the turns that were stored when its voices were heard.
  /// - Returns: false if they must be heard again: there are no turns for this number, or voices are remembered, which are
  ///   compared by a sound that is not stored.
  private func setNumber(of session: String, _ count: VoiceCount, remembered: URL?) throws -> Bool {
    if let remembered, (try? RememberedVoices(at: remembered))?.voices.isEmpty != true { return false }
    guard let number = count.number, try store.speakers(of: session).turns.allSatisfy({ $0.channel == nil })
    else { return false }
    return try store.setNumber(ofVoices: number, of: session)
  }

  /// Marks the echoes in the channels of a session and, if requested, separates its voices. Everything of it is
  /// transcribed.
  /// - Parameter audio: what was transcribed, see `RecordingManifest.read(_:)`.
  /// - Returns: what readers should know of it.
  func labelSpeakers(
    of session: String, in audio: any AudioSource, _ count: VoiceCount?, remembered: URL?
  ) async throws -> [TranscriptWarning] {
    // A long transcript need not be read for nothing.
    guard try count != nil || !store.speakers(of: session).isEmpty else { return [] }
    let transcript = try store.transcript(of: session)
    let evidence = try await SpeakerEvidence(
      of: audio, transcript.segments, wordless: transcript.spans.wordless, voices: count,
      remembered: remembered)
    if evidence.hasVoices { try store.setTurnsByNumber(evidence.turnsByNumber, of: session) }
    try store.changeSpeakers(of: session) { evidence.add(to: &$0) }
    return evidence.warnings
  }
}
