import Foundation
import LonghandTranscripts
import LonghandVocabulary

/// A name of the vocabulary that was said.
public struct TermOccurrence: Sendable, Hashable {
  /// The name, in its declared spelling.
  public var term: String
  /// The ID of the session.
  public var session: String
  /// The ID of the segment.
  public var segment: Int
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio.
  public var end: TimeInterval
  /// The name's ID in the reader's database, if that was given.
  public var id: String?
  /// How it was found; see `NormalizedTranscript.provenance(of:)`.
  public var provenance = NormalizedTranscript.Provenance.exactMatch
}

extension [TermOccurrence] {
  /// The names with their occurrences, the most frequent name first.
  package var byTerm: [(term: String, places: [TermOccurrence])] {
    Dictionary(grouping: self, by: \.term).map { ($0, $1) }
      .sorted { ($1.places.count, $0.term) < ($0.places.count, $1.term) }
  }
}

/// The second text of segments: in the spelling of a domain, beside the recognizer's text, which stays as it is. It is
/// written in the same transaction as the segment.
extension TranscriptStore {
  /// What the second text of a session is written by; nil if it has none.
  ///
  /// - Throws: `StoreError`.
  public func spellings(of session: String) throws -> Vocabulary? {
    let text = try read { database in
      try self.spellings(of: try self.number(of: session, in: database), in: database)
    }
    return try text.map(Self.vocabulary)
  }

  /// Writes the second text of a session, and of what is committed to it from now on, by other names and corrections.
  ///
  /// - Throws: `StoreError`.
  public func setSpellings(_ spellings: Vocabulary?, of session: String) throws {
    try write { database in
      try database.transaction {
        try self.setSpellings(spellings, of: try self.number(of: session, in: database), in: database)
      }
    }
  }

  /// The second texts of all segments by the segments' IDs; those that do not differ from the first are left out.
  ///
  /// - Throws: `StoreError`.
  public func normalizedSegments(of session: String) throws -> [Int: NormalizedTranscript] {
    try read { database in
      try self.normalizedSegments(
        of: self.number(of: session, in: database), Self.numbers(0, .max), in: database)
    }
  }

  /// The second texts of the segments with these numbers.
  func normalizedSegments(
    of number: Int, _ numbers: Range<Int>, in database: StoreDatabase
  ) throws -> [Int: NormalizedTranscript] {
    func rank(_ position: Int) throws -> StoreValue {
      try database.row(
        "SELECT rank FROM segment WHERE session = ? ORDER BY rank LIMIT 1 OFFSET ?", .integer(number),
        .integer(position)
      ) { .text($0.text(0)) } ?? .text("g")
    }
    let (first, end) = (try rank(numbers.lowerBound), try rank(numbers.upperBound))
    var found: [Int: NormalizedTranscript] = [:]
    let texts = try database.rows(
      """
      SELECT current.segment, normalization.text, normalization.spans
      FROM current_segment AS current CROSS JOIN normalization ON normalization.revision = current.number
      WHERE current.session = ?1 AND rank >= ?2 AND rank < ?3
      """, .integer(number), first, end
    ) { row in
      let spans = try? JSONDecoder().decode(
        [NormalizedTranscript.Span].self, from: Data(row.text(2).utf8))
      return (
        row.integer(0), NormalizedTranscript(text: row.text(1), spans: spans ?? [], by: Self.method(spans))
      )
    }
    for (id, text) in texts { found[id] = text }
    let occurrences = try database.rows(
      """
      SELECT current.segment, term, source_start, source_end, current.text
      FROM current_segment AS current CROSS JOIN occurrence ON occurrence.revision = current.number
      WHERE current.session = ?1 AND rank >= ?2 AND rank < ?3 ORDER BY source_start
      """, .integer(number), first, end
    ) { row in
      let source = row.integer(2)..<max(row.integer(2), row.integer(3))
      return (
        row.integer(0), NormalizedTranscript.Occurrence(term: row.text(1), source: source), row.text(4)
      )
    }
    let ids = occurrences.isEmpty ? [:] : try self.entityIDs(self.spellings(of: number, in: database))
    for (id, var occurrence, text) in occurrences {
      occurrence.id = ids[occurrence.term]
      found[id, default: NormalizedTranscript(text: text)].occurrences.append(occurrence)
    }
    return found
  }

  /// The whole second text of a session, as `TranscriptNormalizer.normalize(segments:)` joins it; nil if the session has
  /// none.
  ///
  /// - Throws: `StoreError`.
  public func normalizedTranscript(of session: String) throws -> NormalizedTranscript? {
    guard try spellings(of: session) != nil else { return nil }
    let parts = try normalizedSegments(of: session)
    var whole = NormalizedTranscript(text: "")
    var source = 0
    for (index, segment) in try transcript(of: session).segments.enumerated() {
      if index > 0 {
        whole.text += " "
        source += 1
      }
      let (target, part) = (whole.text.utf8.count, parts[segment.id])
      whole.text += part?.text ?? segment.text
      for var span in part?.spans ?? [] {
        span.source = span.source.lowerBound + source..<span.source.upperBound + source
        span.target = span.target.lowerBound + target..<span.target.upperBound + target
        whole.spans.append(span)
      }
      whole.occurrences += (part?.occurrences ?? []).map { occurrence in
        .init(
          term: occurrence.term,
          source: occurrence.source.lowerBound + source..<occurrence.source.upperBound + source,
          id: occurrence.id)
      }
      source += segment.text.utf8.count
    }
    whole.by = Self.method(whole.spans)
    return whole
  }

  /// Who wrote a second text with these changes.
  private static func method(_ spans: [NormalizedTranscript.Span]?) -> NormalizedTranscript.Method {
    (spans ?? []).contains { $0.provenance == .languageModel } ? .vocabularyAndLanguageModel : .vocabulary
  }

  /// Replaces the second text of a segment, unless the segment has changed since.
  ///
  /// - Parameters:
  ///   - normalized: the second text.
  ///   - segment: the version of the segment that was normalized.
  ///   - session: the ID of the session.
  /// - Returns: whether it was replaced.
  /// - Throws: `StoreError`.
  @discardableResult public func setNormalized(
    _ normalized: NormalizedTranscript, of segment: Segment, in session: String
  ) throws -> Bool {
    try write { database in
      try database.transaction {
        let current = try database.row(
          "SELECT number FROM current_revision WHERE session = ? AND segment = ? AND revision = ? AND text = ?",
          .integer(try self.number(of: session, in: database)), .integer(segment.id),
          .integer(segment.revision), .text(segment.text)
        ) { $0.integer(0) }
        guard let current else { return false }
        try database.run("DELETE FROM normalization WHERE revision = ?", .integer(current))
        try database.run("DELETE FROM occurrence WHERE revision = ?", .integer(current))
        try self.insert(normalized, of: segment, current, in: database)
        return true
      }
    }
  }

  /// Where names were said: the newest session first, and in each session in the order of time.
  ///
  /// - Parameters:
  ///   - term: only this name, in capitals or not; nil for all.
  ///   - session: the ID of the only session to look in; nil for all.
  ///   - limit: the most occurrences to return.
  /// - Throws: `StoreError`.
  public func occurrences(
    of term: String? = nil, in session: String? = nil, limit: Int = .max
  ) throws -> [TermOccurrence] {
    try read { database in
      let number = try session.map { try self.number(of: $0, in: database) }
      // Many occurrences have the same names, or are in the same segment.
      var known = (spellings: "", ids: [String: String]())
      var changes = (text: "", second: NormalizedTranscript(text: ""))
      return try database.rows(
        """
        SELECT occurrence.term, session.id, current.segment, occurrence.start, occurrence."end",
          session.spellings, normalization.spans, occurrence.source_start, occurrence.source_end
        FROM occurrence
          JOIN current_revision AS current ON current.number = occurrence.revision
          JOIN session ON session.number = current.session
          LEFT JOIN normalization ON normalization.revision = occurrence.revision
        WHERE session.state <> 'erasing' AND (?1 IS NULL OR occurrence.term = ?1 COLLATE NOCASE)
          AND (?2 IS NULL OR current.session = ?2)
        ORDER BY session.start DESC, session.number DESC, occurrence.start, occurrence.term LIMIT ?3
        """, StoreValue(term), number.map(StoreValue.integer) ?? .null, .integer(limit)
      ) { row in
        let spellings = row.isNull(5) ? "" : row.text(5)
        if spellings != known.spellings { known = (spellings, self.entityIDs(spellings)) }
        var found = TermOccurrence(
          term: row.text(0), session: row.text(1), segment: row.integer(2), start: row.real(3),
          end: row.real(4), id: known.ids[row.text(0)])
        if !row.isNull(6) {
          let text = row.text(6)
          if text != changes.text {
            let spans = try? JSONDecoder().decode([NormalizedTranscript.Span].self, from: Data(text.utf8))
            changes = (text, NormalizedTranscript(text: "", spans: spans ?? []))
          }
          let source = row.integer(7)..<max(row.integer(7), row.integer(8))
          found.provenance = changes.second.provenance(of: .init(term: found.term, source: source))
        }
        return found
      }
    }
  }

  /// The IDs of names in stored spellings.
  private func entityIDs(_ spellings: String?) -> [String: String] {
    spellings.flatMap { try? Self.vocabulary($0) }?.entityIDs ?? [:]
  }

  // MARK: In a transaction

  func setSpellings(_ spellings: Vocabulary?, of session: Int, in database: StoreDatabase) throws {
    try database.run(
      "UPDATE session SET spellings = ? WHERE number = ?", StoreValue(try spellings.map(text)),
      .integer(session))
    try database.run(
      "DELETE FROM normalization WHERE revision IN (SELECT number FROM revision WHERE session = ?)",
      .integer(session))
    try database.run(
      "DELETE FROM occurrence WHERE revision IN (SELECT number FROM revision WHERE session = ?)",
      .integer(session))
    guard let normalizer = try normalizer(of: session, in: database) else { return }
    let revisions = try database.rows(
      "SELECT * FROM current_revision WHERE session = ?", .integer(session)
    ) { ($0.integer(0), try self.revision($0).segment) }
    for (number, segment) in revisions {
      try normalize(segment, number, by: normalizer, of: session, in: database)
    }
  }

  /// Writes the second text of a revision.
  func normalize(
    _ segment: Segment, _ revision: Int, by normalizer: TranscriptNormalizer, of session: Int,
    in database: StoreDatabase
  ) throws {
    let language =
      try segment.language
      ?? database.row("SELECT locale FROM session WHERE number = ?", .integer(session)) { $0.text(0) }
    try insert(
      normalizer.normalizeLocally(segment.text, language: language), of: segment, revision, in: database)
  }

  private func insert(
    _ normalized: NormalizedTranscript, of segment: Segment, _ revision: Int, in database: StoreDatabase
  ) throws {
    if normalized.text != segment.text {
      let spans = String(decoding: try JSONEncoder().encode(normalized.spans), as: UTF8.self)
      try database.run(
        "INSERT INTO normalization (revision, text, spans) VALUES (?, ?, ?)", .integer(revision),
        .text(normalized.text), .text(spans))
    }
    for occurrence in normalized.occurrences {
      let range = segment.range(of: occurrence.source)
      try database.run(
        """
        INSERT INTO occurrence (revision, term, start, "end", source_start, source_end) VALUES (?, ?, ?, ?, ?, ?)
        """, .integer(revision), .text(occurrence.term), .real(range.lowerBound), .real(range.upperBound),
        .integer(occurrence.source.lowerBound), .integer(occurrence.source.upperBound))
    }
  }

  /// The normalizer of a session; nil if its segments get no second text.
  func normalizer(of session: Int, in database: StoreDatabase) throws -> TranscriptNormalizer? {
    guard let text = try spellings(of: session, in: database) else { return nil }
    return normalizers.withLock { known in
      if let known, known.spellings == text { return known.normalizer }
      // What cannot be read must not keep a segment from the store.
      guard let vocabulary = try? Self.vocabulary(text) else { return nil }
      let normalizer = TranscriptNormalizer(vocabulary)
      known = (text, normalizer)
      return normalizer
    }
  }

  func spellings(of session: Int, in database: StoreDatabase) throws -> String? {
    try database.row("SELECT spellings FROM session WHERE number = ?", .integer(session)) {
      $0.isNull(0) ? nil : $0.text(0)
    } ?? nil
  }

  static func vocabulary(_ text: String) throws -> Vocabulary {
    try Vocabulary(Data(text.utf8), file: fileName)
  }

  /// - Throws: `StoreError` if it could not be read again, for example because a name is empty.
  func text(_ spellings: Vocabulary) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(spellings), as: UTF8.self)
    do { _ = try Self.vocabulary(text) } catch {
      throw self.error(.invalid("the vocabulary cannot be stored: \(error)"))
    }
    return text
  }
}
