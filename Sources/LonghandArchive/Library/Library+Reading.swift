import Foundation
import LonghandRecording
import LonghandTranscription
import LonghandTranscripts

extension Library {
  /// The duration of a session, in seconds. While its state is not final, the duration comes from its recording, because
  /// the store does not have it yet.
  public func duration(of session: RecordedSession) -> TimeInterval {
    guard !session.state.isFinal else { return session.duration }
    let folder = recording(of: session.id)
    guard let audio = try? StoredAudio(of: folder) else { return session.duration }
    return missingEnd(of: session).last?.end ?? audio.duration
  }

  /// The part that is missing at the end of a recording that is not being written.
  private func missingEnd(of session: RecordedSession) -> [CoverageSpan] {
    guard !session.state.isFinal, let manifest = try? RecordingManifest(of: recording(of: session.id)),
      manifest.frames != nil
    else { return [] }
    return manifest.missingEnd
  }

  /// The coverage of a session, in order: what is known about every second. Audio that is on the disk and not processed
  /// yet is `pending`.
  /// - Throws: `StoreError`.
  public func coverageSpans(of session: RecordedSession) throws -> [CoverageSpan] {
    var spans = try store.coverageSpans(of: session.id)
    let missing = missingEnd(of: session)
    let (duration, end) = (missing.first?.start ?? duration(of: session), spans.last?.end ?? 0)
    if duration > end {
      if spans.last?.kind == .pending {
        spans[spans.count - 1].end = duration
      } else {
        spans.append(CoverageSpan(start: end, end: duration, kind: .pending))
      }
    }
    return spans + missing.filter { $0.start >= spans.last?.end ?? 0 }
  }

  /// What readers of a session's transcript should know about its audio.
  /// - Parameter session: the session's ID.
  public func warnings(of session: String) -> [TranscriptWarning] {
    (try? RecordingManifest(of: recording(of: session)))?.warnings ?? []
  }

  /// The audio tracks of the file that was imported, if it has several.
  /// - Parameter session: the session's ID.
  public func tracks(of session: String) -> [TranscriptTrack] {
    (try? RecordingManifest(of: recording(of: session)))?.tracks ?? []
  }

  /// The transcript of a session; while the session is not complete, the transcript so far.
  /// - Parameters:
  ///   - session: the session.
  ///   - withoutCorrections: whether the text is the recognizer's, whatever a person chose or wrote after it.
  /// - Throws: `StoreError`.
  public func transcript(of session: RecordedSession, withoutCorrections: Bool = false) throws -> Transcript {
    var transcript = try store.transcript(of: session.id, withoutCorrections: withoutCorrections)
    transcript.duration = duration(of: session)
    transcript.spans = try coverageSpans(of: session)
    transcript.coverage = Coverage(transcript.spans)
    let manifest = try? RecordingManifest(of: recording(of: session.id))
    transcript.statedDuration = manifest?.statedDuration
    transcript.warnings = manifest?.warnings ?? []
    transcript.tracks = manifest?.tracks ?? []
    transcript.timecode = manifest?.timecode
    return transcript
  }

  /// Measures the speech in the audio of a session, for the transcript of that session.
  /// - Throws: `TranscriptionError.noAudio` while the session is recorded, and if its audio is gone.
  public func measureVoice(of session: RecordedSession, in transcript: inout Transcript) async throws {
    let folder = recording(of: session.id)
    guard let manifest = try? RecordingManifest(of: folder), manifest.frames ?? 0 > 0 else {
      throw TranscriptionError.noAudio
    }
    try await transcript.measureVoice(in: manifest.read(RecordingAudio(folder, manifest)))
  }
}
