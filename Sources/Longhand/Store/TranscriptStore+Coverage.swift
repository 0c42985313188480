import Foundation

extension TranscriptStore {
  /// Replaces what became of every second of a session.
  ///
  /// - Parameters:
  ///   - spans: in any order; none may reach into another, or a second would count twice.
  ///   - session: its id.
  /// - Throws: `StoreError`.
  public func setCoverage(_ spans: [CoverageSpan], of session: String) throws {
    let sorted = spans.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    let areSpans = sorted.allSatisfy { $0.start.isFinite && $0.end.isFinite && $0.start <= $0.end }
    guard areSpans, zip(sorted, sorted.dropFirst()).allSatisfy({ $0.end <= $1.start }) else {
      throw error(.invalid("spans must be finite, end after they start and not overlap"))
    }
    try write { database in
      try database.transaction {
        let number = try self.number(of: session, in: database)
        try database.run("DELETE FROM coverage_span WHERE session = ?", .integer(number))
        for span in sorted {
          try database.run(
            "INSERT INTO coverage_span VALUES (?, ?, ?, ?, ?)", .integer(number), .real(span.start),
            .real(span.end), .text(span.kind.rawValue), .text(span.reason))
        }
      }
    }
  }

  /// What became of every second of a session, in order. `Coverage.init(_:)` adds it up.
  ///
  /// - Throws: `StoreError`.
  public func coverageSpans(of session: String) throws -> [CoverageSpan] {
    try read { database in
      try self.coverageSpans(try self.number(of: session, in: database), in: database)
    }
  }

  func coverageSpans(_ session: Int, in database: StoreDatabase) throws -> [CoverageSpan] {
    try database.rows(
      "SELECT * FROM coverage_span WHERE session = ? ORDER BY start, \"end\"", .integer(session)
    ) { row in
      guard let kind = CoverageSpan.Kind(rawValue: row.text(3)) else {
        throw self.error(.damaged("a span is of the kind '\(row.text(3))'"))
      }
      return CoverageSpan(start: row.real(1), end: row.real(2), kind: kind, reason: row.text(4))
    }
  }
}
