import Foundation
import LonghandTranscripts
import Synchronization

extension TranscriptStore {
  /// The progress of a session. `changes(of:after:limit:)` with its `sequence` returns the changes since then.
  ///
  /// - Throws: `StoreError`.
  public func status(of session: String) throws -> SessionStatus {
    try read { database in
      let number = try self.number(of: session, in: database)
      let about = try self.session(number, in: database)
      let newest = try database.row(
        "SELECT coalesce(max(segment) + 1, 0), coalesce(max(number), 0) FROM revision WHERE session = ?",
        .integer(number)
      ) { ($0.integer(0), $0.integer(1)) }
      let sums = try database.rows(
        "SELECT kind, sum(\"end\" - start) FROM coverage_span WHERE session = ? GROUP BY kind",
        .integer(number)
      ) { CoverageSpan(start: 0, end: $0.real(1), kind: try self.kind($0.text(0))) }
      return SessionStatus(
        session: about, segmentCount: newest?.0 ?? 0, sequence: newest?.1 ?? 0, coverage: Coverage(sums),
        steps: try self.steps(of: number, in: database))
    }
  }

  /// The versions of segments that were stored after another, in the order in which they were stored.
  ///
  /// - Parameters:
  ///   - session: the ID of the session.
  ///   - sequence: only versions after this one; 0 for all.
  ///   - limit: the most versions to return, the oldest first.
  /// - Throws: `StoreError`.
  package func changes(of session: String, after sequence: Int, limit: Int) throws -> [SegmentChange] {
    try read { database in
      // The inner query reads only the index.
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

  /// Segments from a number on, in order. The numbers count from 0 in the present order.
  ///
  /// - Parameters:
  ///   - session: the ID of the session.
  ///   - first: the number of the first segment.
  ///   - limit: the most segments to return.
  /// - Throws: `StoreError`.
  public func segments(of session: String, from first: Int, limit: Int) throws -> [Segment] {
    try read { database in
      let number = try self.number(of: session, in: database)
      let segments = try self.segments(of: number, from: first, limit: limit, in: database)
      return try self.labelled(segments, of: number, in: database)
    }
  }

  /// Segments from a number on, in order, without their speakers.
  func segments(
    of session: Int, from first: Int, limit: Int, in database: StoreDatabase
  ) throws -> [Segment] {
    try database.rows(
      """
      SELECT * FROM current_segment WHERE session = ?1 AND rank >= (
        SELECT rank FROM segment WHERE session = ?1 ORDER BY rank LIMIT 1 OFFSET ?2)
      ORDER BY rank LIMIT ?3
      """, .integer(session), .integer(first), .integer(max(0, limit))
    ) { try self.revision($0).segment }
  }

  /// The coverage of a session after a time, in order; the first span may start before that time.
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

/// Detects changes of a store by this process or another without reading any data, so it may be called very often.
package final class StoreVersion: Sendable {
  private let database: Mutex<StoreDatabase>

  /// Opens a connection of its own.
  /// - Throws: `StoreError`.
  package init(of store: TranscriptStore) throws {
    database = Mutex(try StoreDatabase.open(store.file, role: .reader))
  }

  /// A number that changes with every commit.
  /// - Throws: `StoreError`.
  package func current() throws -> Int {
    try database.withLock { try $0.row("PRAGMA data_version") { $0.integer(0) } ?? 0 }
  }
}
