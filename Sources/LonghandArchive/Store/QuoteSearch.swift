import Foundation
import LonghandTranscripts
import SentenceFormatting

/// Passages that have words of a quote, in one snapshot of the database. The rarest words count most, so that few places are read.
struct QuoteSearch {
  /// A word that more segments have says little about the place.
  private static let maxSegments = 2000
  /// Words of a quote that are looked up: the longest ones, which are the rarest.
  private static let maxSeeds = 24
  /// Segments that are looked at: those with the most words.
  private static let maxHits = 60
  /// Passages that are read.
  private static let maxPassages = 12
  /// The share of the looked up words that a passage has, and its share of what the best passage has. A passage that is like the
  /// quote has more.
  private static let minShare = (ofAll: 0.3, ofBest: 0.5)
  /// Characters of writing without spaces that are looked up at once.
  private static let unspacedSeed = 3
  /// Seconds before a passage in which a part of the audio begins that reaches into it.
  private static let longestSpan: TimeInterval = 60

  let store: TranscriptStore
  let database: StoreDatabase
  let filter: SessionFilter

  /// What is looked up of a quote: a bit for each, and what it says about a place.
  private struct Seeds: OptionSet {
    var rawValue: UInt32

    func weight(_ weights: [Double]) -> Double {
      weights.indices.reduce(0) { rawValue & 1 << $1 == 0 ? $0 : $0 + weights[$1] }
    }
  }

  private struct Hit {
    var session: Int
    var segment: Int
    var seeds: Seeds
  }

  /// Segments, by their numbers.
  private struct Stretch {
    var session: Int
    var numbers: Range<Int>
    /// Those that have what is looked up, and what is between them.
    var hits: Range<Int>
    var seeds: Seeds
  }

  /// - Parameter count: the number of words of the quote.
  func passages(of quote: String, count: Int) throws -> [QuotePassage] {
    let (hits, weights) = try quote.isPartlyUnspaced ? unspacedHits(quote) : hits(quote)
    let all = weights.reduce(0, +)
    let stretches = try stretches(hits, margin: 1 + count / 4).map { ($0, weight: $0.seeds.weight(weights)) }
      .sorted {
        ($0.weight, $0.0.session, $1.0.numbers.lowerBound) > (
          $1.weight, $1.0.session, $0.0.numbers.lowerBound
        )
      }
    let best = stretches.first?.weight ?? 0
    return try stretches.prefix(Self.maxPassages).filter {
      $0.weight >= Self.minShare.ofAll * all && $0.weight >= Self.minShare.ofBest * best
    }.map { stretch, _ in
      let read = try store.segments(
        of: stretch.session, from: stretch.numbers.lowerBound, limit: stretch.numbers.count, in: database)
      let segments = Self.segments(read, stretch, count)
      return QuotePassage(
        session: try store.session(stretch.session, in: database),
        segments: try store.labelled(segments, of: stretch.session, in: database),
        spans: try spans(around: segments, of: stretch.session))
    }
  }

  /// Without those that are more than the length of the quote before or after what is looked up.
  private static func segments(_ read: [Segment], _ stretch: Stretch, _ count: Int) -> [Segment] {
    let first = min(read.count, stretch.hits.lowerBound - stretch.numbers.lowerBound)
    let end = min(read.count, stretch.hits.upperBound - stretch.numbers.lowerBound)
    func near(_ segments: some Sequence<Segment>) -> Int {
      var words = 0
      return segments.prefix { segment in
        defer { words += segment.words.count }
        return words < count
      }.count
    }
    return Array(read[first - near(read[..<first].reversed())..<end + near(read[end...])])
  }

  /// The segments with some before and after them; those that follow each other are joined.
  private func stretches(_ hits: [Hit], margin: Int) throws -> [Stretch] {
    try Dictionary(grouping: hits, by: \.session).flatMap { session, hits in
      let numbers = try store.numbers(ofSegments: hits.map(\.segment), session, in: database)
      let places = hits.compactMap { hit in numbers[hit.segment].map { (number: $0, seeds: hit.seeds) } }
      return places.sorted { $0.number < $1.number }.reduce(into: [Stretch]()) { stretches, place in
        let range = max(0, place.number - margin)..<place.number + margin + 1
        if let last = stretches.last, last.numbers.upperBound >= range.lowerBound {
          stretches[stretches.count - 1].numbers = last.numbers.lowerBound..<range.upperBound
          stretches[stretches.count - 1].hits = last.hits.lowerBound..<place.number + 1
          stretches[stretches.count - 1].seeds.formUnion(place.seeds)
        } else {
          stretches.append(
            Stretch(
              session: session, numbers: range, hits: place.number..<place.number + 1, seeds: place.seeds))
        }
      }
    }
  }

  /// The parts of the audio around segments in which there may be words that were not recognized.
  private func spans(around segments: [Segment], of session: Int) throws -> [CoverageSpan] {
    guard let start = segments.first?.start, let end = segments.map(\.end).max() else { return [] }
    return try database.rows(
      "SELECT start, \"end\", kind FROM coverage_span WHERE session = ? AND start BETWEEN ? AND ?",
      .integer(session), .real(start - Self.longestSpan), .real(end)
    ) { CoverageSpan(start: $0.real(0), end: max($0.real(0), $0.real(1)), kind: try store.kind($0.text(2))) }
  }

  // MARK: Segments with words of the quote

  private func hits(_ quote: String) throws -> ([Hit], weights: [Double]) {
    let words = TextNormalizer().words(in: quote)
    let longest = Set(words).sorted { ($0.count, $0) > ($1.count, $1) }.prefix(Self.maxSeeds)
    let languages = try TranscriptStore.languages(in: database)
    let rows = try rows
    var found = try find(
      longest.map { word in TranscriptStore.query(word: word, isBeginning: false) { languages } }, in: rows)
    if found.rows.isEmpty {
      // All words are frequent, or there is none: words that follow each other are rarer.
      let pairs = zip(words, words.dropFirst()).map { TranscriptStore.quoted("\($0) \($1)") }
      found = try find(Array(pairs.prefix(Self.maxSeeds)), in: rows)
    }
    if found.rows.isEmpty {
      found = try find(
        [TranscriptStore.quoted(words.prefix(Self.maxSeeds).joined(separator: " "))], in: rows, isLast: true)
    }
    return (try best(found.rows, found.weights), found.weights)
  }

  /// Where revisions of the session are, if there is only one.
  private var rows: ClosedRange<Int> {
    get throws {
      guard let session = filter.session else { return Int.min...Int.max }
      return try database.row(
        """
        SELECT min(number), max(number) FROM revision
        WHERE session = (SELECT number FROM session WHERE id = ?)
        """, .text(session)
      ) { $0.integer(0)...max($0.integer(0), $0.integer(1)) } ?? 0...0
    }
  }

  /// The rows of the segments that have some of what is looked up, and how rare each is.
  /// - Parameter isLast: whether the newest ones of many segments count.
  private func find(
    _ queries: [String], in rows: ClosedRange<Int>, isLast: Bool = false
  ) throws -> (rows: [Int: Seeds], weights: [Double]) {
    var seeds: [Int: Seeds] = [:]
    var weights: [Double] = []
    for query in queries {
      let found = try database.rows(
        """
        SELECT rowid FROM word_index WHERE word_index MATCH ?1 AND rowid BETWEEN ?2 AND ?3
        ORDER BY rowid DESC LIMIT ?4
        """, .text(query), .integer(rows.lowerBound), .integer(rows.upperBound),
        .integer(Self.maxSegments + 1)
      ) { $0.integer(0) }
      guard isLast || found.count <= Self.maxSegments else { continue }
      for row in found { seeds[row, default: []].insert(Seeds(rawValue: 1 << weights.count)) }
      weights.append(1 + log(Double(Self.maxSegments + 1) / Double(max(1, found.count))))
    }
    return (seeds, weights)
  }

  /// The segments that have most of what is looked up, of sessions that count.
  private func best(_ rows: [Int: Seeds], _ weights: [Double]) throws -> [Hit] {
    let sorted = rows.map { ($0.key, weight: $0.value.weight(weights)) }
      .sorted { ($0.weight, $0.0) > ($1.weight, $1.0) }.map(\.0)
    var hits: [Hit] = []
    for start in stride(from: 0, to: sorted.count, by: Self.maxSegments) where hits.count < Self.maxHits {
      hits += try database.rows(
        """
        SELECT revision.number, revision.session, revision.segment
        FROM json_each(?1) AS match
          JOIN revision ON revision.number = match.value
          JOIN session ON session.number = revision.session
        WHERE session.state <> 'erasing'
          AND (?2 IS NULL OR session.id = ?2)
          AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(session.tags) WHERE value = ?3))
          AND (?4 IS NULL OR session.start >= ?4)
        ORDER BY match.id LIMIT ?5
        """, .text("\(sorted[start...].prefix(Self.maxSegments))"), StoreValue(filter.session),
        StoreValue(filter.tag), filter.sinceValue, .integer(Self.maxHits - hits.count)
      ) { Hit(session: $0.integer(1), segment: $0.integer(2), seeds: rows[$0.integer(0)] ?? []) }
    }
    return hits
  }

  /// The index does not have the words of writing without spaces: the texts themselves are searched.
  private func unspacedHits(_ quote: String) throws -> ([Hit], weights: [Double]) {
    let runs = quote.split { !$0.unicodeScalars.allSatisfy(\.isUnspaced) || $0.isPunctuation }
    let all = runs.flatMap { run -> [String] in
      let characters = Array(run)
      let count = min(Self.unspacedSeed, characters.count)
      return (0...characters.count - count).map { String(characters[$0..<$0 + count]) }
    }
    let step = max(1, all.count / Self.maxSeeds)
    let seeds = stride(from: 0, to: all.count, by: step).map { all[$0] }.prefix(Self.maxSeeds)
    let patterns = JSONValue.array(seeds.map { .string("%\($0)%") }).text
    let hits = try database.rows(
      """
      SELECT revision.session, revision.segment,
        (SELECT sum(1 << seed.key) FROM json_each(?1) AS seed WHERE revision.text LIKE seed.value) AS found
      FROM session JOIN current_revision AS revision ON revision.session = session.number
      WHERE found > 0 AND session.state <> 'erasing'
        AND (?2 IS NULL OR session.id = ?2)
        AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(session.tags) WHERE value = ?3))
        AND (?4 IS NULL OR session.start >= ?4)
      """, .text(patterns), StoreValue(filter.session), StoreValue(filter.tag), filter.sinceValue
    ) {
      Hit(
        session: $0.integer(0), segment: $0.integer(1),
        seeds: Seeds(rawValue: UInt32(truncatingIfNeeded: $0.integer(2))))
    }
    let sorted = hits.sorted { $0.seeds.rawValue.nonzeroBitCount > $1.seeds.rawValue.nonzeroBitCount }
    return (Array(sorted.prefix(Self.maxHits)), Array(repeating: 1, count: seeds.count))
  }
}
