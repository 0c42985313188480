import LonghandTranscripts

/// The order of the segments of a session. Their IDs are keys, which never change and are never used again; a new segment gets a
/// place between two others, which stay as they are. Numbers, which count in the order, are for people.
extension TranscriptStore {
  /// The number of a segment in the order, from 0.
  ///
  /// - Throws: `StoreError` with `noSegment` if there is no such segment.
  package func number(ofSegment id: Int, in session: String) throws -> Int {
    try read { database in
      let session = try self.number(of: session, in: database)
      guard let number = try self.number(ofSegment: id, session, in: database) else {
        throw self.error(.noSegment(id))
      }
      return number
    }
  }

  /// The segment with a number, as a person names it.
  ///
  /// - Throws: `StoreError` with `noSegment` if there is none.
  package func segment(numbered number: Int, in session: String) throws -> Segment {
    guard let segment = try segments(of: session, from: number, limit: 1).first else {
      throw error(.noSegment(number))
    }
    return segment
  }

  /// The numbers of all segments by their IDs.
  ///
  /// - Throws: `StoreError`.
  package func numbers(of session: String) throws -> [Int: Int] {
    try read { try self.numbers(of: self.number(of: session, in: $0), in: $0) }
  }

  // MARK: In a transaction

  func number(ofSegment id: Int, _ session: Int, in database: StoreDatabase) throws -> Int? {
    try database.row(
      """
      SELECT (SELECT count(*) FROM segment AS other WHERE other.session = this.session AND other.rank < this.rank)
      FROM segment AS this WHERE session = ? AND key = ?
      """, .integer(session), .integer(id)
    ) { $0.integer(0) }
  }

  func numbers(of session: Int, in database: StoreDatabase) throws -> [Int: Int] {
    let keys = try database.rows(
      "SELECT key FROM segment WHERE session = ? ORDER BY rank", .integer(session)
    ) { $0.integer(0) }
    return Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
  }

  /// The numbers of some segments by their IDs, and perhaps of others; those that are not there are left out.
  func numbers(ofSegments ids: [Int], _ session: Int, in database: StoreDatabase) throws -> [Int: Int] {
    // All numbers cost less than those of many one by one.
    if ids.count > 20 { return try numbers(of: session, in: database) }
    return try ids.reduce(into: [:]) { $0[$1] = try number(ofSegment: $1, session, in: database) }
  }

  /// The number of segments. None is ever removed, so that it is also the ID of the next one.
  func segmentCount(of session: Int, in database: StoreDatabase) throws -> Int {
    try database.row(
      "SELECT coalesce(max(key) + 1, 0) FROM segment WHERE session = ?", .integer(session)
    ) { $0.integer(0) } ?? 0
  }

  /// Makes room for a new segment.
  /// - Parameter id: the ID of the segment before it; nil before all others.
  /// - Returns: its ID.
  func newSegment(after id: Int?, _ session: Int, in database: StoreDatabase) throws -> Int {
    let before =
      try id.flatMap { id in
        try database.row(
          "SELECT rank FROM segment WHERE session = ? AND key = ?", .integer(session), .integer(id)
        ) {
          SegmentRank(text: $0.text(0))
        }
      } ?? .start
    let after = try database.row(
      "SELECT rank FROM segment WHERE session = ? AND rank > ? ORDER BY rank LIMIT 1", .integer(session),
      .text(before.text)
    ) { SegmentRank(text: $0.text(0)) }
    let rank = after.map { SegmentRank(between: before, and: $0) } ?? SegmentRank(after: before)
    let key = try segmentCount(of: session, in: database)
    try database.run(
      "INSERT INTO segment (session, rank, key) VALUES (?, ?, ?)", .integer(session), .text(rank.text),
      .integer(key))
    return key
  }
}
