import Foundation

/// A search in the index of words, in one snapshot of the database. It is fast for rare words and for frequent ones, in a
/// library of ten thousands of sessions too.
struct IndexSearch {
  let database: StoreDatabase
  /// The query in the syntax of FTS5.
  let query: String
  /// Which sessions count.
  let filter: SessionFilter
  /// The most hits to return.
  let limit: Int
  /// Up to this number all matches are sorted. Each is a read from its own place in the store.
  var maxSorted = 1000
  /// A text that no segment has, to mark the matches in the results.
  private let mark = UUID().uuidString

  init(database: StoreDatabase, query: String, filter: SessionFilter = SessionFilter(), limit: Int) {
    (self.database, self.query, self.filter, self.limit) = (database, query, filter, limit)
  }

  /// The hits: the newest session first, and in each session in the order of time.
  func hits() throws -> [SearchHit] {
    guard limit < maxSorted / 4, filter == SessionFilter() else { return try all() }
    guard let matches = try matches() else { return try newestFirst() }
    return try all(among: matches)
  }

  /// The rows of all matches; nil if there are so many that they must not all be sorted.
  func matches() throws -> [Int]? {
    // The beginning of a word takes a merge of the places of all words that have it; one word is found at once.
    if query.contains("\"*"), try matches(of: query.replacing("\"*", with: "\"")).count > maxSorted {
      return nil
    }
    let found = try matches(of: query)
    return found.count > maxSorted ? nil : found
  }

  private func matches(of query: String) throws -> [Int] {
    try database.rows(
      "SELECT rowid FROM word_index WHERE word_index MATCH ? LIMIT ?", .text(query), .integer(maxSorted + 1)
    ) { $0.integer(0) }
  }

  /// Sorts all matches of the sessions that count, and reads the texts of the first ones.
  func all() throws -> [SearchHit] {
    let numbers = try database.rows(
      """
      SELECT revision.number
      FROM (SELECT rowid AS match FROM word_index WHERE word_index MATCH ?1)
        JOIN revision ON revision.number = match
        JOIN session ON session.number = revision.session
      WHERE session.state <> 'erasing' AND (?3 IS NULL OR session.id = ?3)
        AND (?4 IS NULL OR EXISTS (SELECT 1 FROM json_each(session.tags) WHERE value = ?4))
        AND (?5 IS NULL OR session.start >= ?5)
      ORDER BY session.start DESC, session.number DESC, revision.start, revision.segment LIMIT ?2
      """, .text(query), .integer(limit), StoreValue(filter.session), StoreValue(filter.tag),
      filter.sinceValue
    ) { $0.integer(0) }
    return try hits(numbers, among: [numbers])
  }

  private func all(among matches: [Int]) throws -> [SearchHit] {
    let numbers = try database.rows(
      """
      SELECT revision.number
      FROM json_each(?1) AS match
        JOIN revision ON revision.number = match.value
        JOIN session ON session.number = revision.session
      WHERE session.state <> 'erasing'
      ORDER BY session.start DESC, session.number DESC, revision.start, revision.segment LIMIT ?2
      """, .text("\(matches)"), .integer(limit)
    ) { $0.integer(0) }
    return try hits(numbers, among: [numbers])
  }

  /// Searches the newest sessions, then many times as many, until there are enough hits.
  func newestFirst() throws -> [SearchHit] {
    var numbers: [Int] = []
    var last: Session?
    var count = 8
    while numbers.count < limit {
      let sessions = try self.sessions(before: last, count: count)
      numbers += try Self.runs(sessions).flatMap(matches).sorted().prefix(limit - numbers.count).map(\.number)
      guard sessions.count == count else { break }
      last = sessions.last
      count *= 16
    }
    // Between numbers that are far apart there may be a million other matches.
    let groups = numbers.sorted().reduce(into: [[Int]]()) { groups, number in
      if let last = groups.last?.last, number - last < Self.maxDistance {
        groups[groups.count - 1].append(number)
      } else {
        groups.append([number])
      }
    }
    return try hits(numbers, among: groups)
  }

  /// How far apart in the index two hits can be that are read at once.
  private static let maxDistance = 5000

  /// A session, and where its segments are in the index.
  private struct Session {
    let number: Int
    let start: Double
    /// The place in the order in which sessions are listed.
    let rank: Int
    let rows: ClosedRange<Int>
  }

  /// Sessions whose segments are in one part of the index.
  private struct Run {
    var rows: ClosedRange<Int>
    var ranks: [Int: Int]
  }

  /// A match, in the order of the results.
  private struct Match: Comparable {
    let rank: Int
    let start: Double
    let segment: Int
    let number: Int

    static func < (left: Match, right: Match) -> Bool {
      (left.rank, left.start, left.segment) < (right.rank, right.start, right.segment)
    }
  }

  private func sessions(before last: Session?, count: Int) throws -> [Session] {
    let found = try database.rows(
      """
      SELECT number, start,
        (SELECT min(number) FROM revision INDEXED BY revision_by_session WHERE session = session.number),
        (SELECT max(number) FROM revision INDEXED BY revision_by_session WHERE session = session.number)
      FROM session WHERE (start, number) < (?, ?) AND state <> 'erasing' ORDER BY start DESC, number DESC LIMIT ?
      """, .real(last?.start ?? .infinity), .integer(last?.number ?? .max), .integer(count)
    ) { ($0.integer(0), $0.real(1), $0.integer(2), $0.integer(3)) }
    return found.enumerated().map { index, row in
      Session(
        number: row.0, start: row.1, rank: (last?.rank ?? -1) + 1 + index, rows: row.2...max(row.2, row.3))
    }
  }

  /// Sessions that follow each other in the index, as sessions that were stored one after another do, are searched at
  /// once.
  private static func runs(_ sessions: [Session]) -> [Run] {
    var runs: [Run] = []
    for session in sessions.sorted(by: { $0.rows.lowerBound < $1.rows.lowerBound }) {
      if let last = runs.last, session.rows.lowerBound <= last.rows.upperBound + 1 {
        runs[runs.count - 1].rows =
          last.rows.lowerBound...max(last.rows.upperBound, session.rows.upperBound)
        runs[runs.count - 1].ranks[session.number] = session.rank
      } else {
        runs.append(Run(rows: session.rows, ranks: [session.number: session.rank]))
      }
    }
    return runs
  }

  private func matches(_ run: Run) throws -> [Match] {
    try database.rows(
      """
      SELECT revision.session, revision.start, revision.segment, revision.number
      FROM (SELECT rowid AS match FROM word_index WHERE word_index MATCH ?1 AND rowid BETWEEN ?2 AND ?3)
        JOIN revision ON revision.number = match
      """, .text(query), .integer(run.rows.lowerBound), .integer(run.rows.upperBound)
    ) { row in
      run.ranks[row.integer(0)].map {
        Match(rank: $0, start: row.real(1), segment: row.integer(2), number: row.integer(3))
      }
    }.compactMap(\.self)
  }

  /// The hits with these numbers, in their order.
  /// - Parameter groups: the same numbers; those of a group are read at once.
  private func hits(_ numbers: [Int], among groups: [[Int]]) throws -> [SearchHit] {
    let known = Dictionary(try groups.flatMap(hits)) { first, _ in first }
    return numbers.compactMap { known[$0] }
  }

  private func hits(_ numbers: [Int]) throws -> [(Int, SearchHit)] {
    guard let first = numbers.min(), let last = numbers.max() else { return [] }
    // The + keeps SQLite from a search in the index for each of the numbers.
    return try database.rows(
      """
      SELECT session.id, revision.segment, revision.start, revision."end", revision.text,
        highlight(word_index, 0, ?2, ?2), revision.number
      FROM word_index
        JOIN revision ON revision.number = word_index.rowid
        JOIN session ON session.number = revision.session
      WHERE word_index MATCH ?1 AND word_index.rowid BETWEEN ?3 AND ?4
        AND +word_index.rowid IN (SELECT value FROM json_each(?5))
      """, .text(query), .text(mark), .integer(first), .integer(last), .text("\(numbers)")
    ) { row in
      let hit = SearchHit(
        session: row.text(0), segment: row.integer(1), start: row.real(2), end: row.real(3),
        fragments: Self.fragments(of: row.text(4), marked: row.text(5), with: mark))
      return (row.integer(6), hit)
    }
  }

  private static func fragments(of text: String, marked: String, with mark: String) -> [SearchHit.Fragment] {
    var rest = text.utf8[...]
    var fragments: [SearchHit.Fragment] = []
    // A match is between the first mark and the second, and so on.
    for (index, part) in marked.parts(between: mark).enumerated() where !part.isEmpty {
      fragments.append(SearchHit.Fragment(text: part, isMatch: index % 2 == 1))
      rest = rest.dropFirst(part.utf8.count)
    }
    // FTS5 ends the marked text at a NUL; the text itself continues.
    if !rest.isEmpty {
      fragments.append(SearchHit.Fragment(text: String(decoding: rest, as: UTF8.self), isMatch: false))
    }
    return fragments
  }
}

extension String {
  /// What is between marks. It is found by bytes, because an accent can follow a mark.
  fileprivate func parts(between mark: String) -> [String] {
    let (bytes, mark) = (Array(utf8), Array(mark.utf8))
    var parts: [String] = []
    var (start, position) = (0, 0)
    while position < bytes.count {
      if bytes[position] == mark.first, bytes[position...].starts(with: mark) {
        parts.append(String(decoding: bytes[start..<position], as: UTF8.self))
        position += mark.count
        start = position
      } else {
        position += 1
      }
    }
    return parts + [String(decoding: bytes[start...], as: UTF8.self)]
  }
}
