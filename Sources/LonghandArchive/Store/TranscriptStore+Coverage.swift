import Foundation
import LonghandTranscripts

extension TranscriptStore {
  /// Replaces the coverage of a session, or the part of it after a time.
  ///
  /// - Parameters:
  ///   - spans: in any order, without overlaps, none before `start`.
  ///   - start: seconds from the start of the audio; the coverage before it stays as it is.
  ///   - session: the ID of the session.
  /// - Throws: `StoreError`.
  public func setCoverage(
    _ spans: [CoverageSpan], from start: TimeInterval = 0, of session: String
  ) throws {
    try commit([], spans, from: start, to: session)
  }

  /// Makes what follows the last segment pending again, because more audio follows. The last segment gets a version without
  /// words, so that it is recognized again, unless a person has changed it. A translation is removed: it would
  /// end where the old audio did.
  /// - Throws: `StoreError`.
  func reopenEnd(of session: RecordedSession) throws {
    try write { database in
      try database.transaction {
        let number = try self.number(of: session.id, in: database)
        let last = try database.row(
          "SELECT * FROM current_segment WHERE session = ? ORDER BY rank DESC LIMIT 1", .integer(number),
          read: self.revision)
        let start = last.map { $0.author == .person ? $0.segment.end : $0.segment.start } ?? 0
        if let last, last.author != .person, !last.segment.text.isEmpty {
          _ = try self.revise(
            last.segment.id, number, candidates: [Candidate(text: "", words: [])],
            selection: .recognizer, range: start...start, reason: "the file has grown",
            author: .recognizer, in: database)
        }
        try database.run("DELETE FROM translation WHERE session = ?", .integer(number))
        let rest = CoverageSpan(start: start, end: max(start, session.duration), kind: .pending)
        try self.replaceCoverage([rest], from: start, of: number, in: database)
      }
    }
  }

  func replaceCoverage(
    _ spans: [CoverageSpan], from start: TimeInterval, of session: Int, in database: StoreDatabase
  ) throws {
    try database.run(
      "DELETE FROM coverage_span WHERE session = ? AND start >= ?", .integer(session), .real(start))
    // Spans do not overlap, so only the last one before `start` can end after it.
    try database.run(
      """
      UPDATE coverage_span SET "end" = ?2 WHERE "end" > ?2 AND rowid = (
        SELECT rowid FROM coverage_span WHERE session = ?1 ORDER BY start DESC LIMIT 1)
      """, .integer(session), .real(start))
    try insert(spans, session, in: database)
  }

  /// Makes the transcribed parts of the coverage those of the segments again, where one was before a change and where it is now.
  func updateCoverage(
    from old: Segment, to new: Segment, _ session: Int, in database: StoreDatabase
  ) throws {
    guard new.range != old.range || new.text.isEmpty != old.text.isEmpty else { return }
    let (start, end) = (min(old.start, new.start), max(old.end, new.end))
    let spans = try coverageSpans(session, in: database).filter { $0.start < end && start < $0.end }
    guard let first = spans.first?.start, let last = spans.last?.end else { return }
    let segments: [CoverageSpan.Stretch] = try database.rows(
      """
      SELECT max(start, ?2), min("end", ?3) FROM current_revision
      WHERE session = ?1 AND text <> '' AND start < ?3 AND "end" > ?2
      """, .integer(session), .real(start), .real(end)
    ) { ($0.real(0)...max($0.real(0), $0.real(1)), .transcribed, "") }
    let others: [CoverageSpan.Stretch] = spans.flatMap { span in
      let range = span.start...span.end
      let isOther = span.kind != .transcribed && span.kind != .silent
      let parts =
        isOther ? [range] : range.parts(outside: [CoverageSpan(start: start, end: end, kind: .silent)])
      return parts.map { ($0, span.kind, span.reason) }
    }
    try database.run(
      "DELETE FROM coverage_span WHERE session = ? AND start >= ? AND start < ?", .integer(session),
      .real(first),
      .real(last))
    try insert(
      CoverageSpan.all(of: last, from: first, (segments + others).inOrderOfWeight), session, in: database)
  }

  private func insert(_ spans: [CoverageSpan], _ session: Int, in database: StoreDatabase) throws {
    for span in spans {
      try database.run(
        "INSERT INTO coverage_span VALUES (?, ?, ?, ?, ?)", .integer(session), .real(span.start),
        .real(span.end), .text(span.kind.rawValue), .text(span.reason))
    }
  }

  /// Sorts spans.
  /// - Throws: `StoreError` if they overlap or are not valid.
  func checked(_ spans: [CoverageSpan], from start: TimeInterval) throws -> [CoverageSpan] {
    let sorted = spans.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    let areSpans = sorted.allSatisfy { TimeInterval.arePossible($0.start, $0.end) }
    guard areSpans, zip(sorted, sorted.dropFirst()).allSatisfy({ $0.end <= $1.start }),
      sorted.first.map({ $0.start >= start }) ?? true
    else {
      throw error(
        .invalid("coverage spans must be finite, must not end before they start, and must not overlap"))
    }
    return sorted
  }

  /// The coverage of a session, in order. `Coverage.init(_:)` adds it up.
  ///
  /// - Throws: `StoreError`.
  public func coverageSpans(of session: String) throws -> [CoverageSpan] {
    try read { database in
      try self.coverageSpans(try self.number(of: session, in: database), in: database)
    }
  }

  /// - Parameter start: spans that start before it are left out.
  func coverageSpans(
    _ session: Int, from start: TimeInterval = 0, in database: StoreDatabase
  ) throws -> [CoverageSpan] {
    let spans = try database.rows(
      "SELECT * FROM coverage_span WHERE session = ? AND start >= ? ORDER BY start, \"end\"",
      .integer(session), .real(start)
    ) { row in
      let (start, end) = (row.real(1), row.real(2))
      guard TimeInterval.arePossible(start, end) else {
        throw self.error(.damaged("a coverage span is from \(start) to \(end) seconds"))
      }
      return CoverageSpan(start: start, end: end, kind: try self.kind(row.text(3)), reason: row.text(4))
    }
    // Spans were written in steps; adjacent spans of one kind are joined.
    return spans.reduce(into: []) { joined, span in
      if let last = joined.last, last.end == span.start, last.kind == span.kind, last.reason == span.reason {
        joined[joined.count - 1].end = span.end
      } else {
        joined.append(span)
      }
    }
  }

  func kind(_ name: String) throws -> CoverageSpan.Kind {
    guard let kind = CoverageSpan.Kind(rawValue: name) else {
      throw error(.damaged("a coverage span has the unknown kind '\(name)'"))
    }
    return kind
  }
}

extension TranscriptStore {
  /// Seconds in which there is speech, or audio, of which no words are known: what is not found may have been said there.
  func unheardSeconds(in filter: SessionFilter) throws -> TimeInterval {
    try read { database in
      try database.row(
        """
        SELECT coalesce(sum(span."end" - span.start), 0)
        FROM session JOIN coverage_span AS span ON span.session = session.number
        WHERE span.kind IN ('wordless', 'failed', 'gap', 'pending') AND session.state <> 'erasing'
          AND (?1 IS NULL OR session.id = ?1)
          AND (?2 IS NULL OR EXISTS (SELECT 1 FROM json_each(session.tags) WHERE value = ?2))
          AND (?3 IS NULL OR session.start >= ?3)
        """, StoreValue(filter.session), StoreValue(filter.tag), filter.sinceValue
      ) { $0.real(0) } ?? 0
    }
  }
}
