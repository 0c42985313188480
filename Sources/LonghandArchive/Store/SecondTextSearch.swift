import Foundation

/// A search in second texts, which the index of words does not have: it finds the names of a vocabulary also where the
/// recognizer wrote other words.
struct SecondTextSearch {
  /// The words to find, without case and accents. All must be in the text, the last one as the beginning of a word.
  private let words: [String]

  /// - Parameter text: as it was typed.
  init(_ text: String) { words = Self.words(of: text).map(\.folded) }

  /// The hits: the newest session first, and in each session in the order of time.
  func hits(in database: StoreDatabase, of filter: SessionFilter, limit: Int) throws -> [SearchHit] {
    guard let pattern = words.map(Self.pattern).max(by: { $0.sureCount < $1.sureCount }) else { return [] }
    // CROSS JOIN keeps the order of the tables: most segments have no second text.
    return try database.rows(
      """
      SELECT session.id, revision.segment, revision.start, revision."end", normalization.text
      FROM normalization
        CROSS JOIN current_revision AS revision ON revision.number = normalization.revision
        CROSS JOIN session ON session.number = revision.session
      WHERE normalization.text LIKE ?1
        AND (?2 IS NULL OR session.id = ?2)
        AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(session.tags) WHERE value = ?3))
        AND (?4 IS NULL OR session.start >= ?4)
      ORDER BY session.start DESC, session.number DESC, revision.start, revision.segment
      """, .text("%\(pattern.text)%"), StoreValue(filter.session), StoreValue(filter.tag), filter.sinceValue
    ) { row in
      fragments(of: row.text(4)).map {
        SearchHit(
          session: row.text(0), segment: row.integer(1), start: row.real(2), end: row.real(3), fragments: $0)
      }
    }.lazy.compactMap(\.self).prefix(limit).map(\.self)
  }

  /// The text in fragments: each word that was searched for, and the text between them; nil if one of the words is
  /// missing.
  func fragments(of text: String) -> [SearchHit.Fragment]? {
    let found = Self.words(of: text)
    var matched: Set<Int> = []
    for (number, word) in words.enumerated() {
      let isLast = number == words.count - 1
      let places = found.indices.filter {
        let folded = found[$0].folded
        return isLast ? folded.hasPrefix(word) : folded == word
      }
      guard !places.isEmpty else { return nil }
      matched.formUnion(places)
    }
    var (fragments, position): ([SearchHit.Fragment], String.Index) = ([], text.startIndex)
    for index in matched.sorted() {
      let range = found[index].range
      fragments.append(.init(text: String(text[position..<range.lowerBound]), isMatch: false))
      fragments.append(.init(text: String(text[range]), isMatch: true))
      position = range.upperBound
    }
    fragments.append(.init(text: String(text[position...]), isMatch: false))
    return fragments.filter { !$0.text.isEmpty }
  }

  /// Runs of letters and digits.
  private static func words(of text: String) -> [(range: Range<String.Index>, folded: String)] {
    text.split { !$0.isLetter && !$0.isNumber }.map {
      (
        $0.startIndex..<$0.endIndex,
        $0.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      )
    }
  }

  /// What SQLite's LIKE finds of a word: it knows no accents, and capitals only in ASCII.
  private static func pattern(_ word: String) -> (text: String, sureCount: Int) {
    let text = String(word.map { "bdfghjklmpqrtvwx0123456789".contains($0) ? $0 : "_" })
    return (text, text.count { $0 != "_" })
  }
}
