import Foundation
import LonghandTranscripts

extension TranscriptStore {
  /// Finds the segments whose current text has every word of `text`, or whose second text has: the newest session first,
  /// and in each session in the order of time. Case, accents, the points of Arabic and Hebrew and the width of letters do not
  /// matter, and the last word may be the start of a longer word. A hit in the second text alone has that text.
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
      if isSecondTextOnly { hits = try inSecondText(hits, TextSearch(text)) }
      if hits.count >= limit || found.count < wanted { return Array(hits.prefix(limit)) }
      wanted = wanted < .max / 4 ? wanted * 4 : .max
    }
  }

  private func all(_ text: String, of filter: SessionFilter, limit: Int) throws -> [SearchHit] {
    let search = TextSearch(text)
    if !search.isIndexed { return try read { try search.hits(in: $0, of: filter, limit: limit) } }
    return try read { database in
      let query = try Self.query(text) { try Self.languages(in: database) }
      guard !query.isEmpty else { return [] }
      let hits = try IndexSearch(database: database, query: query, filter: filter, limit: limit).hits()
      let others = try search.hitsInSecondTexts(in: database, of: filter, limit: limit)
      return others.isEmpty ? hits : try Self.joined(hits, others, limit: limit, in: database)
    }
  }

  /// The hits whose second text has the words, with that text.
  private func inSecondText(_ hits: [SearchHit], _ search: TextSearch) throws -> [SearchHit] {
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
    var known: Set<Place> = []
    let all = (first + second).filter {
      known.insert(Place(session: $0.session, segment: $0.segment)).inserted
    }
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

  /// The hits among which those of one speaker are looked for first.
  private static let firstHitsOfAll = 1000

  /// The first hits in what a speaker says, among all hits.
  ///
  /// - Parameters:
  ///   - name: the name of the speaker, in any case.
  ///   - limit: the most hits to return.
  ///   - find: the first hits of all speakers, so many at most.
  ///   - check: called for each of these hits; an error ends the search.
  /// - Throws: `StoreError`, and errors of `find` and `check`.
  package func hits(
    saidBy name: String, limit: Int, among find: (_ limit: Int) throws -> [SearchHit],
    check: () throws -> Void
  ) throws -> [SearchHit] {
    let name = name.lowercased()
    var ids: [String: Set<String>] = [:]
    var found: [SearchHit] = []
    var (seen, wanted) = (0, Self.firstHitsOfAll)
    while found.count < limit {
      let hits = try find(wanted)
      for hit in hits.dropFirst(seen) where found.count < limit {
        let speakers =
          try ids[hit.session]
          ?? Set(self.speakers(of: hit.session).named.filter { $0.name.lowercased() == name }.map(\.id))
        ids[hit.session] = speakers
        guard !speakers.isEmpty else { continue }
        try check()
        if try !speakers.isDisjoint(with: self.speakers(of: hit)) { found.append(hit) }
      }
      guard hits.count == wanted else { break }
      (seen, wanted) = (wanted, 16 * wanted)
    }
    return found
  }

  /// The IDs of those who say a hit.
  private func speakers(of hit: SearchHit) throws -> Set<String> {
    try read { database -> Set<String> in
      let session = try self.number(of: hit.session, in: database)
      guard let segment = try self.current(hit.segment, session, in: database)?.1.segment else { return [] }
      return try self.labelled([segment], of: session, in: database).first.map(hit.speakers(in:)) ?? []
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

  /// Each word in quotation marks, in which FTS5 has no other syntax, or its spellings, and the last word as a prefix.
  ///
  /// It works on scalars, because an accent can combine with a quotation mark. A NUL would end the query.
  private static func query(_ text: String, in languages: () throws -> Set<String>) rethrows -> String {
    let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "\0" }
    return try words.enumerated().map { index, word in
      return try query(
        word: String(String.UnicodeScalarView(word)), isBeginning: index == words.count - 1, in: languages)
    }.joined(separator: " AND ")
  }

  /// A word, or its spellings.
  /// - Parameter isBeginning: whether longer words that begin with it are found too.
  static func query(
    word: String, isBeginning: Bool, in languages: () throws -> Set<String>
  ) rethrows -> String {
    let phrases =
      FoldedText.spellings(of: word).map { quoted($0) + (isBeginning ? "*" : "") }
      + (try NumberSpellings.others(of: word, in: languages).map(quoted))
    return phrases.count == 1 ? phrases[0] : "(\(phrases.joined(separator: " OR ")))"
  }

  /// The languages of the library's sessions.
  static func languages(in database: StoreDatabase) throws -> Set<String> {
    let locales = try database.rows("SELECT DISTINCT locale FROM session") { $0.text(0) }
    return Set(locales.compactMap { Locale(identifier: $0).language.languageCode?.identifier })
  }

  static func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}
