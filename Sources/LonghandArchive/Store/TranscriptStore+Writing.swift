import Foundation
import LonghandTranscripts

extension TranscriptStore {
  /// Commits a segment. It is on the disk when this returns, and never changes. A segment that is already there with the
  /// same contents is ignored, so that interrupted work can be repeated.
  ///
  /// - Throws: `StoreError`, for example if the segment is not the next one.
  public func append(_ segment: Segment, to session: String) throws { try append([segment], to: session) }

  /// Commits segments: all of them or, if an error is thrown, none.
  ///
  /// - Throws: `StoreError`.
  public func append(_ segments: [Segment], to session: String) throws {
    try commit(segments, nil, from: 0, to: session)
  }

  /// Commits segments and the coverage after a time: all of it or, if an error is thrown, nothing.
  ///
  /// - Parameters:
  ///   - segments: the segments, as in `append(_:to:)`.
  ///   - spans: the coverage, as in `setCoverage(_:from:of:)`; nil leaves it as it is.
  ///   - start: the time from which `spans` replace the coverage.
  ///   - session: the ID of the session.
  /// - Throws: `StoreError`.
  public func commit(
    _ segments: [Segment], _ spans: [CoverageSpan]?, from start: TimeInterval, to session: String
  ) throws {
    let rows = try segments.map { ($0, try data(of: $0)) }
    let spans = try spans.map { try checked($0, from: start) }
    try write { database in
      try database.transaction {
        let number = try self.number(of: session, in: database)
        try self.append(rows, to: number, in: database)
        if let spans { try self.replaceCoverage(spans, from: start, of: number, in: database) }
      }
    }
  }

  func append(_ rows: [(Segment, Data)], to session: Int, in database: StoreDatabase) throws {
    guard !rows.isEmpty else { return }
    var next = try segmentCount(of: session, in: database)
    for (segment, data) in rows {
      if segment.id == next, segment.revision == 0 {
        let last = try database.row(
          "SELECT key FROM segment WHERE session = ? ORDER BY rank DESC LIMIT 1", .integer(session)
        ) { $0.integer(0) }
        _ = try newSegment(after: last, session, in: database)
        try insert(segment, data, session: session, in: database)
        next += 1
      } else if 0..<next ~= segment.id {
        let committed = try revisions(of: segment.id, session, in: database).first?.segment
        if committed != segment.withoutLabels { throw error(.alreadyCommitted(segment.id)) }
      } else if segment.id == next {
        throw error(
          .invalid("segment \(next) is not committed yet, so its first version must have revision 0"))
      } else {
        throw error(.outOfOrder(expected: next, given: segment.id))
      }
    }
  }

  /// Adds a version of a segment; the version before must not be in the index any more.
  /// - Parameter isStep: whether the version belongs to the current step of the session, see `step(of:_:)`.
  func insert(
    _ segment: Segment, _ data: Data, reason: String = "", author: SegmentRevision.Author = .recognizer,
    isStep: Bool = false, session: Int, in database: StoreDatabase
  ) throws {
    try database.run(
      """
      INSERT INTO revision (
        session, segment, revision, start, "end", selection, rule, reason, date, text, candidates, judgement,
        author, channel, paragraph, step
      ) VALUES (
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CASE WHEN ? THEN (SELECT steps FROM session WHERE number = ?) END)
      """,
      .integer(session), .integer(segment.id), .integer(segment.revision), .real(segment.start),
      .real(segment.end), .integer(segment.selection.index), .text(segment.selection.rule), .text(reason),
      .real(Date.now.timeIntervalSinceReferenceDate), .text(segment.text), .data(data),
      StoreValue(segment.selection.judgement?.rawValue), .text(author.rawValue), StoreValue(segment.channel),
      StoreValue(segment.paragraph?.rawValue), .integer(isStep ? 1 : 0), .integer(session))
    let number = try database.row("SELECT last_insert_rowid()") { $0.integer(0) } ?? 0
    try database.run(
      "INSERT INTO word_index (rowid, text) VALUES (?, ?)", .integer(number), .text(segment.text))
    if let normalizer = try normalizer(of: session, in: database) {
      try normalize(segment, number, by: normalizer, of: session, in: database)
    }
  }

  /// Removes the current version of a segment from the index.
  func removeFromIndex(_ key: Int, _ text: String, in database: StoreDatabase) throws {
    try database.run(
      "INSERT INTO word_index (word_index, rowid, text) VALUES ('delete', ?, ?)", .integer(key), .text(text))
  }

  func data(of segment: Segment) throws -> Data {
    if let defect = segment.defect { throw error(.invalid("segment \(segment.id) \(defect)")) }
    return CandidateCoding.data(segment.candidates)
  }
}
