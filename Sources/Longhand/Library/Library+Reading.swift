import Foundation

extension Library {
  /// The duration of a session's audio, in seconds. While a session is not complete, the duration comes from its audio
  /// file, because the store does not have it yet.
  public func duration(of session: RecordedSession) -> TimeInterval {
    guard session.state != .complete else { return session.duration }
    return (try? StoredAudio(of: recording(of: session.id)).duration) ?? session.duration
  }

  /// The coverage of a session, in order: what is known about every second. Audio that is on the disk and not processed
  /// yet is `pending`.
  /// - Throws: `StoreError`.
  public func coverageSpans(of session: RecordedSession) throws -> [CoverageSpan] {
    var spans = try store.coverageSpans(of: session.id)
    let (duration, end) = (duration(of: session), spans.last?.end ?? 0)
    if duration > end {
      if spans.last?.kind == .pending {
        spans[spans.count - 1].end = duration
      } else {
        spans.append(CoverageSpan(start: end, end: duration, kind: .pending))
      }
    }
    return spans
  }

  /// What readers of a session's transcript should know about its audio.
  /// - Parameter session: the session's ID.
  public func warnings(of session: String) -> [TranscriptWarning] {
    (try? RecordingManifest(of: recording(of: session)))?.warnings ?? []
  }

  /// The transcript of a session; while the session is not complete, the transcript so far.
  /// - Throws: `StoreError`.
  public func transcript(of session: RecordedSession) throws -> Transcript {
    var transcript = try store.transcript(of: session.id)
    transcript.duration = duration(of: session)
    transcript.coverage = Coverage(try coverageSpans(of: session))
    let manifest = try? RecordingManifest(of: recording(of: session.id))
    transcript.statedDuration = manifest?.statedDuration
    transcript.warnings = manifest?.warnings ?? []
    return transcript
  }
}
