import Foundation

extension Library {
  /// Seconds of a session's sound. Of one that has not ended the store does not know, and the disk does.
  public func duration(of session: RecordedSession) -> TimeInterval {
    guard session.state != .complete else { return session.duration }
    return (try? StoredAudio(of: recording(of: session.id)).duration) ?? session.duration
  }

  /// What became of every second of a session, in order; what is on the disk and nobody has listened to yet is pending.
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

  /// A session as a whole, as far as it has come.
  /// - Throws: `StoreError`.
  public func transcript(of session: RecordedSession) throws -> Transcript {
    var transcript = try store.transcript(of: session.id)
    transcript.duration = duration(of: session)
    transcript.coverage = Coverage(try coverageSpans(of: session))
    return transcript
  }
}
