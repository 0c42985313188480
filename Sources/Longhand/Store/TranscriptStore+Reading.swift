import Foundation

extension TranscriptStore {
  /// The segments before one, in order: a page of scrollback. Takes as long at the start of a session as at its end,
  /// however long it is.
  ///
  /// - Parameters:
  ///   - session: its id.
  ///   - id: only segments before this one; nil for the last page.
  ///   - limit: at most so many, the nearest.
  /// - Throws: `StoreError`.
  public func page(of session: String, before id: Int? = nil, limit: Int) throws -> [Segment] {
    try read { database in
      try database.rows(
        "SELECT * FROM current_revision WHERE session = ? AND segment < ? ORDER BY segment DESC LIMIT ?",
        .integer(try self.number(of: session, in: database)), .integer(id ?? .max), .integer(max(0, limit))
      ) { try self.revision($0).segment }.reversed()
    }
  }

  /// A segment as it is now, or as it was in a revision.
  ///
  /// - Throws: `StoreError`.
  public func segment(_ id: Int, in session: String, revision: Int? = nil) throws -> Segment {
    let revisions = try revisions(of: id, in: session).map(\.segment)
    let wanted = revision.map { revision in revisions.first { $0.revision == revision } } ?? revisions.last
    guard let wanted else { throw error(.noSegment(id)) }
    return wanted
  }

  /// Every text that a segment has had, the first one first; empty if there is no such segment.
  ///
  /// - Throws: `StoreError`.
  public func revisions(of id: Int, in session: String) throws -> [SegmentRevision] {
    try read { database in
      try self.revisions(of: id, try self.number(of: session, in: database), in: database)
    }
  }

  /// A session as a whole.
  ///
  /// - Throws: `StoreError`.
  public func transcript(of session: String) throws -> Transcript {
    // Before the rest: a session that is erased meanwhile is then missing, and not empty.
    let about = try self.session(matching: session)
    let (segments, spans) = try read { database in
      let number = try self.number(of: session, in: database)
      let segments = try database.rows(
        "SELECT * FROM current_revision WHERE session = ? ORDER BY segment", .integer(number)
      ) { try self.revision($0).segment }
      return (segments, try self.coverageSpans(number, in: database))
    }
    return Transcript(
      source: about.source, locale: about.locale, engine: about.engine, duration: about.duration,
      segments: segments, coverage: Coverage(spans), vocabulary: about.vocabulary)
  }

  func revisions(of id: Int, _ session: Int, in database: StoreDatabase) throws -> [SegmentRevision] {
    try database.rows(
      "SELECT * FROM revision WHERE session = ? AND segment = ? ORDER BY revision", .integer(session),
      .integer(id), read: revision)
  }

  /// A segment as it is now, with its key in the index.
  func current(_ id: Int, _ session: Int, in database: StoreDatabase) throws -> (Int, Segment)? {
    try database.row(
      "SELECT * FROM current_revision WHERE session = ? AND segment = ?", .integer(session), .integer(id)
    ) { ($0.integer(0), try self.revision($0).segment) }
  }

  /// A row of `revision`, in the order of its columns.
  func revision(_ row: StoreStatement) throws -> SegmentRevision {
    let id = row.integer(2)
    let selection = Segment.Selection(
      index: row.integer(6), rule: row.text(7),
      judgement: CandidateSelectionRecord.Judgement(rawValue: row.text(12))
    )
    guard let candidates = CandidateCoding.candidates(row.data(11)),
      candidates.indices.contains(selection.index)
    else { throw error(.damaged("segment \(id) cannot be read")) }
    return SegmentRevision(
      segment: Segment(
        id: id, start: row.real(4), end: row.real(5), candidates: candidates, selection: selection,
        revision: row.integer(3)),
      reason: row.text(8), date: Date(timeIntervalSinceReferenceDate: row.real(9)))
  }
}
