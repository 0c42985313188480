import Foundation
import LonghandTranscripts
import SentenceFormatting

extension TranscriptStore {
  /// Finds the segments whose current text has every word of `text`, or whose second text has: the newest session first,
  /// and in each session in the order of time. Case and accents do not matter, and the last word may be the start of a
  /// longer word. A hit in the second text alone has that text.
  ///
  /// - Parameters:
  ///   - text: the words to find; there is no query syntax.
  ///   - filter: only segments of sessions that it takes.
  ///   - limit: the most hits to return.
  ///   - isSecondTextOnly: whether the second text alone must have the words; it is the first where nothing is changed.
  /// - Throws: `StoreError`.
  public func search(
    _ text: String, of filter: SessionFilter = SessionFilter(), limit: Int = 20,
    isSecondTextOnly: Bool = false
  ) throws -> [SearchHit] {
    let limit = max(0, limit)
    var wanted = limit
    while true {
      let found = try all(text, of: filter, limit: wanted)
      var hits = try withoutEchoes(found)
      if isSecondTextOnly { hits = try inSecondText(hits, SecondTextSearch(text)) }
      if hits.count >= limit || found.count < wanted { return Array(hits.prefix(limit)) }
      wanted = wanted < .max / 4 ? wanted * 4 : .max
    }
  }

  private func all(_ text: String, of filter: SessionFilter, limit: Int) throws -> [SearchHit] {
    // The index has no words of writing without spaces.
    if text.unicodeScalars.contains(where: \.isUnspaced) {
      return try scan(for: text, of: filter, limit: limit)
    }
    let query = Self.query(text)
    guard !query.isEmpty else { return [] }
    return try read { database in
      let hits = try IndexSearch(database: database, query: query, filter: filter, limit: limit).hits()
      let others = try SecondTextSearch(text).hits(in: database, of: filter, limit: limit)
      return others.isEmpty ? hits : try Self.joined(hits, others, limit: limit, in: database)
    }
  }

  /// The hits whose second text has the words, with that text.
  private func inSecondText(_ hits: [SearchHit], _ search: SecondTextSearch) throws -> [SearchHit] {
    try read { database in
      try hits.compactMap { hit in
        let second = try database.row(
          """
          SELECT normalization.text FROM normalization
            JOIN current_revision AS current ON current.number = normalization.revision
            JOIN session ON session.number = current.session
          WHERE session.id = ? AND current.segment = ?
          """, .text(hit.session), .integer(hit.segment)
        ) { $0.text(0) }
        guard let second else { return hit }
        return search.fragments(of: second).map {
          SearchHit(
            session: hit.session, segment: hit.segment, start: hit.start, end: hit.end, fragments: $0)
        }
      }
    }
  }

  /// Hits in first and in second texts, each segment once.
  private static func joined(
    _ first: [SearchHit], _ second: [SearchHit], limit: Int, in database: StoreDatabase
  ) throws -> [SearchHit] {
    struct Place: Hashable {
      var session: String
      var segment: Int
    }
    let known = Set(first.map { Place(session: $0.session, segment: $0.segment) })
    let all = first + second.filter { !known.contains(Place(session: $0.session, segment: $0.segment)) }
    var ranks: [String: (start: Double, number: Int)] = [:]
    for hit in all where ranks[hit.session] == nil {
      ranks[hit.session] = try database.row(
        "SELECT start, number FROM session WHERE id = ?", .text(hit.session)
      ) { ($0.real(0), $0.integer(1)) }
    }
    let sorted = all.sorted { left, right in
      guard left.session == right.session else {
        return (ranks[left.session] ?? (0, 0)) > (ranks[right.session] ?? (0, 0))
      }
      return (left.start, left.segment) < (right.start, right.segment)
    }
    return Array(sorted.prefix(limit))
  }

  /// Finds where a name of the vocabulary was said, also where it was recognized wrongly, in the order of
  /// `search(_:of:limit:)`. The times of a hit are those of the name.
  ///
  /// - Parameters:
  ///   - term: the name, in capitals or not, or its ID in the reader's database.
  ///   - filter: only segments of sessions that it takes.
  ///   - limit: the most hits to return.
  /// - Throws: `StoreError`.
  public func search(
    term: String, of filter: SessionFilter = SessionFilter(), limit: Int = 20
  ) throws -> [SearchHit] {
    try read { database in
      try database.rows(
        """
        SELECT session.id, current.segment, occurrence.start, occurrence."end", current.text,
          occurrence.source_start, occurrence.source_end
        FROM occurrence
          JOIN current_revision AS current ON current.number = occurrence.revision
          JOIN session ON session.number = current.session
        WHERE session.state <> 'erasing'
          AND (occurrence.term = ?1 COLLATE NOCASE OR occurrence.term IN (
            SELECT key FROM json_each(session.spellings, '$.entityIDs') WHERE value = ?1))
          AND (?2 IS NULL OR session.id = ?2)
          AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(session.tags) WHERE value = ?3))
          AND (?4 IS NULL OR session.start >= ?4)
        ORDER BY session.start DESC, session.number DESC, occurrence.start LIMIT ?5
        """, .text(term), StoreValue(filter.session), StoreValue(filter.tag), filter.sinceValue,
        .integer(max(0, limit))
      ) { row in
        SearchHit(
          session: row.text(0), segment: row.integer(1), start: row.real(2), end: row.real(3),
          fragments: Self.fragments(
            of: row.text(4), matching: row.integer(5)..<max(row.integer(5), row.integer(6))))
      }
    }
  }

  /// The text in fragments.
  /// - Parameter range: what matches, in the text's UTF-8.
  private static func fragments(of text: String, matching range: Range<Int>) -> [SearchHit.Fragment] {
    let range = range.clamped(to: 0..<text.utf8.count)
    let parts = [
      (text.utf8.prefix(range.lowerBound), false),
      (text.utf8.dropFirst(range.lowerBound).prefix(range.count), true),
      (text.utf8.dropFirst(range.upperBound), false),
    ]
    return parts.filter { !$0.0.isEmpty }.map {
      SearchHit.Fragment(text: String(decoding: $0.0, as: UTF8.self), isMatch: $0.1)
    }
  }

  /// The hits without those in which all that matches is the echo of another channel, where it is found too.
  private func withoutEchoes(_ hits: [SearchHit]) throws -> [SearchHit] {
    guard !hits.isEmpty else { return [] }
    return try read { database in
      // Most libraries have none: the search does not get slower then.
      guard try database.row("SELECT 1 FROM echo LIMIT 1", read: { _ in true }) != nil else { return hits }
      var sessions: [String: (number: Int, hasEchoes: Bool)] = [:]
      return try hits.filter { hit in
        if sessions[hit.session] == nil {
          let number = try self.number(of: hit.session, in: database)
          let echo = try database.row("SELECT 1 FROM echo WHERE session = ? LIMIT 1", .integer(number)) { _ in
            true
          }
          sessions[hit.session] = (number, echo != nil)
        }
        guard let session = sessions[hit.session], session.hasEchoes,
          let segment = try self.current(hit.segment, session.number, in: database)?.1.segment
        else { return true }
        return try !self.labelled([segment], of: session.number, in: database).contains {
          hit.isEcho(in: $0)
        }
      }
    }
  }

  /// Finds the segments whose text contains every part of `text` between spaces, without the index.
  private func scan(for text: String, of filter: SessionFilter, limit: Int) throws -> [SearchHit] {
    let parts = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = parts.first else { return [] }
    let hits = try read { database in
      try database.rows(
        """
        SELECT session.id, revision.segment, revision.start, revision."end", revision.text, normalization.text
        FROM current_revision AS revision JOIN session ON session.number = revision.session
          LEFT JOIN normalization ON normalization.revision = revision.number
        WHERE (instr(revision.text, ?1) > 0 OR instr(normalization.text, ?1) > 0)
          AND (?2 IS NULL OR session.id = ?2)
          AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(session.tags) WHERE value = ?3))
          AND (?4 IS NULL OR session.start >= ?4)
        ORDER BY session.start DESC, session.number DESC, revision.start, revision.segment
        """, .text(first), StoreValue(filter.session), StoreValue(filter.tag), filter.sinceValue
      ) { row in
        [row.text(4), row.text(5)].first { parts.allSatisfy($0.contains) }.map {
          SearchHit(
            session: row.text(0), segment: row.integer(1), start: row.real(2), end: row.real(3),
            fragments: Self.fragments(of: $0, matching: parts))
        }
      }
    }
    return hits.lazy.compactMap(\.self).prefix(max(0, limit)).map(\.self)
  }

  /// The text in fragments: the parts that were searched for, and the text between them.
  private static func fragments(of text: String, matching parts: [String]) -> [SearchHit.Fragment] {
    var fragments: [SearchHit.Fragment] = []
    var rest = text[...]
    while let match = parts.compactMap({ rest.range(of: $0) }).min(by: { $0.lowerBound < $1.lowerBound }) {
      fragments += [
        SearchHit.Fragment(text: String(rest[..<match.lowerBound]), isMatch: false),
        SearchHit.Fragment(text: String(rest[match]), isMatch: true),
      ]
      rest = rest[match.upperBound...]
    }
    fragments.append(SearchHit.Fragment(text: String(rest), isMatch: false))
    return fragments.filter { !$0.text.isEmpty }
  }

  /// Each word in quotation marks, in which FTS5 has no other syntax, and the last word as a prefix.
  ///
  /// It works on scalars, because an accent can combine with a quotation mark. A NUL would end the query.
  private static func query(_ text: String) -> String {
    let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "\0" }
    guard !words.isEmpty else { return "" }
    let quoted = words.map { word in
      "\"" + word.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }
    return quoted.joined(separator: " ") + "*"
  }
}
