import Foundation
import LonghandTranscripts
import SentenceFormatting

/// A search in texts themselves, where the index of words does not find all: in second texts, which have the names of a
/// vocabulary also where the recognizer wrote other words, in writing without spaces, and in Arabic, Hebrew and the
/// writings of India, whose points and vowel signs divide words in the index.
struct TextSearch {
  /// What to find. All must be in the text: words, the last one as the beginning of a word, or in writing without spaces what
  /// was typed between spaces, anywhere.
  private let words: [FoldedText]
  private let isUnspaced: Bool
  /// Whether the index of words has what is searched for.
  let isIndexed: Bool

  /// - Parameter text: as it was typed.
  init(_ text: String) {
    isUnspaced = text.isPartlyUnspaced
    isIndexed =
      !isUnspaced && !text.isPartlyRightToLeft && !text.unicodeScalars.contains(where: \.isDividedInIndex)
    words =
      isUnspaced
      ? text.split(whereSeparator: \.isWhitespace).map { FoldedText(String($0)) }
      : Self.words(of: text).map(\.folded)
  }

  /// What SQLite's LIKE finds of the text: it knows no accents and no widths, and capitals only in ASCII.
  private var pattern: String {
    let patterns = words.map { word in
      // What begins with the word may go on with a mark.
      zip(word.scalars, word.scalars.dropFirst() + ["\u{093C}"]).prefix(Self.maxPattern)
        .map { isSure($0, before: $1) ? $0 : "%" }
    }
    let surest = patterns.max { $0.count { $0 != "%" } < $1.count { $0 != "%" } } ?? []
    // Between letters of Arabic and Hebrew there may be points.
    return "%" + surest.map { $0.isRightToLeft ? "\($0)%" : String($0) }.joined() + "%"
  }

  private static let maxPattern = 200

  /// Whether it is written in one way only, but for what comes beside it.
  private func isSure(_ scalar: Unicode.Scalar, before next: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x80: !isUnspaced && "bfgjkmpqrvwx0123456789".unicodeScalars.contains(scalar)
    case 0x05D0...0x05EA, 0x0628...0x063A, 0x0641...0x0647, 0x0E01...0x0E2E, 0x0E81...0x0EAE, 0x1000...0x1021,
      0x1780...0x17A2, 0x4E00...0x9FFF:
      true
    // With these marks there are letters of one scalar, too.
    case 0x0905...0x0939, 0x0985...0x09B9, 0x0A05...0x0A39, 0x0A85...0x0AB9, 0x0B05...0x0B39, 0x0B85...0x0BB9,
      0x0C05...0x0C39, 0x0C85...0x0CB9, 0x0D05...0x0D39, 0x0D85...0x0DC6:
      ![0x093C, 0x09BC, 0x0A3C, 0x0B3C, 0x0BD7].contains(next.value)
    default: false
    }
  }

  /// The hits in first and second texts: the newest session first, and in each session in the order of time.
  func hits(in database: StoreDatabase, of filter: SessionFilter, limit: Int) throws -> [SearchHit] {
    try hits(in: database, of: filter, limit: limit, from: Self.allTexts)
  }

  /// The hits in second texts.
  func hitsInSecondTexts(
    in database: StoreDatabase, of filter: SessionFilter, limit: Int
  ) throws -> [SearchHit] {
    try hits(in: database, of: filter, limit: limit, from: Self.secondTexts)
      + hits(in: database, of: filter, limit: limit, from: Self.translations)
  }

  private static let allTexts: StaticString = """
    SELECT session.id, revision.segment, revision.start, revision."end", revision.text, normalization.text
    FROM current_revision AS revision JOIN session ON session.number = revision.session
      LEFT JOIN normalization ON normalization.revision = revision.number
    WHERE (revision.text LIKE ?1 OR normalization.text LIKE ?1) AND session.state <> 'erasing'
      AND (?2 IS NULL OR session.id = ?2)
      AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(session.tags) WHERE value = ?3))
      AND (?4 IS NULL OR session.start >= ?4)
    ORDER BY session.start DESC, session.number DESC, revision.start, revision.segment
    """
  /// CROSS JOIN keeps the order of the tables: most segments have no second text.
  private static let secondTexts: StaticString = """
    SELECT session.id, revision.segment, revision.start, revision."end", normalization.text, ''
    FROM normalization
      CROSS JOIN current_revision AS revision ON revision.number = normalization.revision
      CROSS JOIN session ON session.number = revision.session
    WHERE normalization.text LIKE ?1 AND session.state <> 'erasing'
      AND (?2 IS NULL OR session.id = ?2)
      AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(session.tags) WHERE value = ?3))
      AND (?4 IS NULL OR session.start >= ?4)
    ORDER BY session.start DESC, session.number DESC, revision.start, revision.segment
    """

  /// A passage is found in the last segment that begins before its middle.
  private static let translations: StaticString = """
    SELECT session.id, (
        SELECT segment FROM current_revision AS current
        WHERE current.session = translation.session AND current.start <= (translation.start + translation."end") / 2
        ORDER BY current.start DESC LIMIT 1
      ) AS key, translation.start, translation."end", translation.text, ''
    FROM translation CROSS JOIN session ON session.number = translation.session
    WHERE translation.text LIKE ?1 AND key IS NOT NULL AND session.state <> 'erasing'
      AND (?2 IS NULL OR session.id = ?2)
      AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(session.tags) WHERE value = ?3))
      AND (?4 IS NULL OR session.start >= ?4)
    ORDER BY session.start DESC, session.number DESC, translation.start
    """

  private func hits(
    in database: StoreDatabase, of filter: SessionFilter, limit: Int, from statement: StaticString
  ) throws -> [SearchHit] {
    guard !words.isEmpty else { return [] }
    return try database.rows(
      statement, .text(pattern), StoreValue(filter.session), StoreValue(filter.tag), filter.sinceValue
    ) { row in
      [row.text(4), row.text(5)].lazy.compactMap(fragments).first.map {
        SearchHit(
          session: row.text(0), segment: row.integer(1), start: row.real(2), end: row.real(3), fragments: $0)
      }
    }.lazy.compactMap(\.self).prefix(max(0, limit)).map(\.self)
  }

  /// The text in fragments: each word that was searched for, and the text between them; nil if one of the words is
  /// missing.
  func fragments(of text: String) -> [SearchHit.Fragment]? {
    guard let matched = isUnspaced ? parts(in: text) : wholeWords(in: text) else { return nil }
    var (fragments, position): ([SearchHit.Fragment], String.Index) = ([], text.startIndex)
    for range in matched where range.lowerBound >= position {
      fragments.append(.init(text: String(text[position..<range.lowerBound]), isMatch: false))
      fragments.append(.init(text: String(text[range]), isMatch: true))
      position = range.upperBound
    }
    fragments.append(.init(text: String(text[position...]), isMatch: false))
    return fragments.filter { !$0.text.isEmpty }
  }

  private func wholeWords(in text: String) -> [Range<String.Index>]? {
    let found = Self.words(of: text)
    var matched: Set<Int> = []
    for (number, word) in words.enumerated() {
      let places = found.indices.filter {
        found[$0].folded.matches(word, asPrefix: number == words.count - 1)
      }
      guard !places.isEmpty else { return nil }
      matched.formUnion(places)
    }
    return matched.sorted().map { found[$0].range }
  }

  private func parts(in text: String) -> [Range<String.Index>]? {
    let folded = FoldedText(text)
    var places: [Range<String.Index>] = []
    for word in words {
      var position = text.startIndex
      let count = places.count
      while let place = folded.range(of: word, from: position) {
        places.append(place)
        position = place.upperBound
      }
      guard places.count > count else { return nil }
    }
    return places.sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
  }

  /// Runs of letters and digits.
  private static func words(of text: String) -> [(range: Range<String.Index>, folded: FoldedText)] {
    text.split { !$0.isLetter && !$0.isNumber }.map {
      ($0.startIndex..<$0.endIndex, FoldedText(String($0)))
    }.filter { !$0.folded.scalars.isEmpty }
  }
}

extension Unicode.Scalar {
  /// Whether it divides words in the index, or belongs to a writing with such signs: FTS5 takes marks for the ends of
  /// words, except accents.
  fileprivate var isDividedInIndex: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: value > 0x036F
    default: (0x0900...0x0DFF).contains(value)
    }
  }
}
