import Foundation

/// What somebody needs who looks at a session while others write it.
extension TranscriptStore {
  /// How far a session has come. `changes(of:after:limit:)` after its `sequence` tells what came since.
  ///
  /// - Throws: `StoreError`.
  public func status(of session: String) throws -> SessionStatus {
    try read { database in
      let number = try self.number(of: session, in: database)
      guard
        let about = try database.row(
          "SELECT * FROM session WHERE number = ?", .integer(number), read: self.session)
      else { throw self.error(.noSession(session)) }
      let newest = try database.row(
        "SELECT coalesce(max(segment) + 1, 0), coalesce(max(number), 0) FROM revision WHERE session = ?",
        .integer(number)
      ) { ($0.integer(0), $0.integer(1)) }
      let sums = try database.rows(
        "SELECT kind, sum(\"end\" - start) FROM coverage_span WHERE session = ? GROUP BY kind",
        .integer(number)
      ) { CoverageSpan(start: 0, end: $0.real(1), kind: try self.kind($0.text(0))) }
      return SessionStatus(
        session: about, segmentCount: newest?.0 ?? 0, sequence: newest?.1 ?? 0, coverage: Coverage(sums))
    }
  }

  /// The texts that segments of a session were given after one, in the order in which they were given.
  ///
  /// - Parameters:
  ///   - session: its id.
  ///   - sequence: only those after this one; 0 for all.
  ///   - limit: at most so many, the oldest.
  /// - Throws: `StoreError`.
  public func changes(of session: String, after sequence: Int, limit: Int) throws -> [SegmentChange] {
    try read { database in
      // The numbers are found in the index alone.
      try database.rows(
        """
        SELECT * FROM revision WHERE number IN (
          SELECT number FROM revision WHERE session = ? AND number > ? ORDER BY number LIMIT ?)
        ORDER BY number
        """, .integer(try self.number(of: session, in: database)), .integer(sequence),
        .integer(max(0, limit))
      ) { SegmentChange(sequence: $0.integer(0), segment: try self.revision($0).segment) }
    }
  }

  /// The segments from one on, in order. Takes as long at the start of a session as at its end.
  ///
  /// - Parameters:
  ///   - session: its id.
  ///   - id: the first.
  ///   - limit: at most so many.
  /// - Throws: `StoreError`.
  public func segments(of session: String, from id: Int, limit: Int) throws -> [Segment] {
    try read { database in
      try database.rows(
        "SELECT * FROM current_revision WHERE session = ? AND segment >= ? ORDER BY segment LIMIT ?",
        .integer(try self.number(of: session, in: database)), .integer(id), .integer(max(0, limit))
      ) { try self.revision($0).segment }
    }
  }

  /// What became of the seconds of a session after a time, in order; the first span may begin before it.
  ///
  /// - Throws: `StoreError`.
  public func coverageSpans(of session: String, after start: TimeInterval) throws -> [CoverageSpan] {
    try read { database in
      let number = try self.number(of: session, in: database)
      let first = try database.row(
        "SELECT start FROM coverage_span WHERE session = ? AND start <= ? ORDER BY start DESC LIMIT 1",
        .integer(number), .real(start)
      ) { $0.real(0) }
      return try self.coverageSpans(number, from: first ?? start, in: database)
    }
  }
}
