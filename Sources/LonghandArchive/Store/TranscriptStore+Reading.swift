import Foundation
import LonghandTranscripts
import LonghandVocabulary

extension TranscriptStore {
  /// A page of segments before another one, in order. The time does not depend on the length of the session.
  ///
  /// - Parameters:
  ///   - session: the ID of the session.
  ///   - id: only segments before the one with this ID; nil for the last page.
  ///   - limit: the most segments to return, those nearest to `id`.
  /// - Throws: `StoreError`.
  public func page(of session: String, before id: Int? = nil, limit: Int) throws -> [Segment] {
    try read { database in
      let number = try self.number(of: session, in: database)
      let segments = try database.rows(
        """
        SELECT * FROM current_segment WHERE session = ?1
          AND rank < coalesce((SELECT rank FROM segment WHERE session = ?1 AND key = ?2), 'g')
        ORDER BY rank DESC LIMIT ?3
        """, .integer(number), StoreValue(id), .integer(max(0, limit))
      ) { try self.revision($0).segment }
      return try self.labelled(segments.reversed(), of: number, in: database)
    }
  }

  /// The current version of a segment, or another revision of it.
  ///
  /// - Throws: `StoreError`.
  public func segment(_ id: Int, in session: String, revision: Int? = nil) throws -> Segment {
    let revisions = try revisions(of: id, in: session).map(\.segment)
    let wanted = revision.map { revision in revisions.first { $0.revision == revision } } ?? revisions.last
    guard let wanted else { throw error(.noSegment(id)) }
    return wanted
  }

  /// All versions of a segment, the oldest first; empty if there is no such segment.
  ///
  /// - Throws: `StoreError`.
  public func revisions(of id: Int, in session: String) throws -> [SegmentRevision] {
    try read { database in
      try self.revisions(of: id, try self.number(of: session, in: database), in: database)
    }
  }

  /// The transcript of a session.
  ///
  /// - Parameters:
  ///   - session: the ID of the session.
  ///   - withoutCorrections: whether each segment has the version that the recognizer made last, whatever a person chose or
  ///     wrote after it.
  /// - Throws: `StoreError`.
  public func transcript(of session: String, withoutCorrections: Bool = false) throws -> Transcript {
    // Read first, so that a session that is erased meanwhile is an error and not an empty transcript.
    let about = try self.session(matching: session)
    let (segments, speakers, spans) = try read { database in
      let number = try self.number(of: session, in: database)
      let segments =
        withoutCorrections
        ? try database.rows(
          """
          SELECT this.* FROM segment
            CROSS JOIN revision AS this ON this.session = segment.session AND this.segment = segment.key
          WHERE segment.session = ? AND this.revision = (
            SELECT max(revision) FROM revision
            WHERE session = segment.session AND segment = segment.key AND author = 'recognizer')
          ORDER BY segment.rank
          """, .integer(number)
        ) { try self.revision($0).segment }
        : try self.currentSegments(of: number, in: database)
      let speakers = try self.speakers(of: number, in: database)
      return (
        withoutCorrections ? segments.withoutOverlaps : segments, speakers,
        try self.coverageSpans(number, in: database)
      )
    }
    var transcript = Transcript(
      source: about.source, locale: about.locale, engine: about.engine, model: about.model,
      duration: about.duration, segments: segments, spans: spans, vocabulary: about.vocabulary)
    (transcript.title, transcript.date) = (about.name, about.start)
    if segments.areMarked { transcript.punctuation = about.punctuation }
    speakers.label(&transcript)
    transcript.names = try spellings(of: about.id)?.writtenNames ?? []
    return transcript
  }

  /// All segments of a session in order, without labels.
  func currentSegments(of session: Int, in database: StoreDatabase) throws -> [Segment] {
    try database.rows("SELECT * FROM current_segment WHERE session = ? ORDER BY rank", .integer(session)) {
      try self.revision($0).segment
    }
  }

  func revisions(of id: Int, _ session: Int, in database: StoreDatabase) throws -> [SegmentRevision] {
    try database.rows(
      "SELECT * FROM revision WHERE session = ? AND segment = ? ORDER BY revision", .integer(session),
      .integer(id), read: revision)
  }

  /// The current version of a segment, with its key in the index.
  func current(_ id: Int, _ session: Int, in database: StoreDatabase) throws -> (
    Int, SegmentRevision
  )? {
    try database.row(
      "SELECT * FROM current_revision WHERE session = ? AND segment = ?", .integer(session), .integer(id)
    ) { ($0.integer(0), try self.revision($0)) }
  }

  /// Of segments and revisions. One more is a number too.
  private static let numbers = 0..<Int(Int32.max)

  /// Whether a column has the number of a channel, or nothing.
  func isChannel(_ row: StoreStatement, _ column: Int32) -> Bool {
    row.isNull(column) || Self.numbers.contains(row.integer(column))
  }

  /// Converts a row of the table `revision`.
  func revision(_ row: StoreStatement) throws -> SegmentRevision {
    let id = row.integer(2)
    let selection = Segment.Selection(
      index: row.integer(6), rule: row.text(7),
      judgement: CandidateSelectionRecord.Judgement(rawValue: row.text(12))
    )
    guard let candidates = CandidateCoding.candidates(row.data(11)),
      candidates.indices.contains(selection.index), TimeInterval.arePossible(row.real(4), row.real(5)),
      Self.numbers.contains(id), Self.numbers.contains(row.integer(3)), isChannel(row, 14)
    else { throw error(.damaged("segment \(id) cannot be read")) }
    var segment = Segment(
      id: id, start: row.real(4), end: row.real(5), candidates: candidates, selection: selection,
      revision: row.integer(3), channel: row.isNull(14) ? nil : row.integer(14))
    segment.paragraph = row.isNull(16) ? nil : Segment.ParagraphEdge(rawValue: row.text(16))
    return SegmentRevision(
      segment: segment, reason: row.text(8), date: Date(timeIntervalSinceReferenceDate: row.real(9)),
      author: SegmentRevision.Author(rawValue: row.text(13)) ?? .recognizer)
  }
}

extension [Segment] {
  /// The segments, each cut where the one before it on its channel ends: versions of different times may overlap.
  fileprivate var withoutOverlaps: [Segment] {
    var positions: [Int?: TimeInterval] = [:]
    return map { segment in
      var segment = segment
      let position = positions[segment.channel] ?? -.infinity
      segment.enclose(within: position ... .infinity, widens: false)
      positions[segment.channel] = Swift.max(position, segment.end)
      return segment
    }
  }
}
