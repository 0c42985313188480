import Foundation
import LonghandTranscripts

/// Who speaks in a session: a layer over its segments, which stay as they are. Segments are labelled when they are read.
extension TranscriptStore {
  /// What is known of the speakers of a session.
  ///
  /// - Throws: `StoreError`.
  package func speakers(of session: String) throws -> SessionSpeakers {
    try read { try self.speakers(of: try self.number(of: session, in: $0), in: $0) }
  }

  /// Changes what is known of the speakers of a session: all of it or, if an error is thrown, nothing.
  ///
  /// ```swift
  /// try store.changeSpeakers(of: session) { try $0.rename("Speaker 1", to: "Anna") }
  /// ```
  ///
  /// - Parameters:
  ///   - session: the ID of the session.
  ///   - expected: the number of changes so far, as the caller knows it, see `speakersRevision(of:)`; nil for any.
  ///   - segments: segments that `change` is about, which must be as the caller knows them.
  ///   - change: called with what is stored.
  /// - Throws: `StoreError`; `changed` if there were other changes; and what `change` throws.
  package func changeSpeakers(
    of session: String, ifRevision expected: Int? = nil, ifCurrent segments: [Segment] = [],
    _ change: @Sendable (inout SessionSpeakers) throws -> Void
  ) throws {
    try changeSpeakers(of: session, ifRevision: expected, ifCurrent: segments) { speakers, _ in
      try change(&speakers)
    }
  }

  /// The same with the segments of the session, which an assignment needs: see `SessionSpeakers.assign`.
  ///
  /// - Parameter change: called with what is stored, and with a function that reads all segments in order, without labels.
  /// - Returns: what `change` returns.
  @discardableResult package func changeSpeakers<Result: Sendable>(
    of session: String, ifRevision expected: Int? = nil, ifCurrent segments: [Segment] = [],
    _ change: @Sendable (inout SessionSpeakers, _ segments: () throws -> [Segment]) throws -> Result
  ) throws -> Result {
    try write { database in
      try database.transaction {
        let number = try self.number(of: session, in: database)
        try self.check(expected, try self.speakersRevision(of: number, in: database))
        for segment in segments {
          try self.check(
            segment.revision, try self.current(segment.id, number, in: database)?.1.segment.revision ?? -1)
        }
        return try self.changeSpeakers(of: number, in: database) { speakers in
          try change(&speakers) { try self.currentSegments(of: number, in: database) }
        }
      }
    }
  }

  /// How often the speakers of a session were changed.
  ///
  /// - Throws: `StoreError`.
  package func speakersRevision(of session: String) throws -> Int {
    try read { try self.speakersRevision(of: try self.number(of: session, in: $0), in: $0) }
  }

  /// Whether channels of a session were transcribed one by one.
  ///
  /// - Throws: `StoreError`.
  package func hasChannels(_ session: String) throws -> Bool {
    try read { database in
      // Segments without text are left of another transcription.
      try database.row(
        "SELECT 1 FROM current_revision WHERE session = ? AND channel IS NOT NULL AND text <> '' LIMIT 1",
        .integer(try self.number(of: session, in: database))
      ) { _ in true } ?? false
    }
  }

  // MARK: In a transaction

  func changeSpeakers<Result>(
    of session: Int, in database: StoreDatabase, _ change: (inout SessionSpeakers) throws -> Result
  ) throws -> Result {
    var speakers = try speakers(of: session, in: database)
    let old = speakers
    let result = try change(&speakers)
    guard speakers != old else { return result }
    try check(speakers)
    try removeSpeakers(of: session, in: database)
    try insert(speakers, session, in: database)
    try database.run(
      "UPDATE session SET speakers_revision = speakers_revision + 1 WHERE number = ?", .integer(session))
    return result
  }

  private func speakersRevision(of session: Int, in database: StoreDatabase) throws -> Int {
    try database.row("SELECT speakers_revision FROM session WHERE number = ?", .integer(session)) {
      $0.integer(0)
    } ?? 0
  }

  /// - Parameter segments: only what can label these segments, at least one; nil for everything.
  func speakers(
    of session: Int, for segments: [Segment]? = nil, in database: StoreDatabase
  ) throws -> SessionSpeakers {
    let ids = segments?.map(\.id)
    let start = segments?.map(\.start).min() ?? 0
    let end = segments?.map { max($0.start, $0.end) }.max() ?? TimeInterval.longestAudio
    let entries = try database.rows(
      "SELECT id, name, basis, merged_into, engine, recognized FROM speaker WHERE session = ? ORDER BY position",
      .integer(session)
    ) { row in
      guard let basis = Speaker.Basis(rawValue: row.text(2)) else {
        throw self.error(.damaged("a speaker has the unknown basis '\(row.text(2))'"))
      }
      return SessionSpeakers.Entry(
        id: row.text(0), name: row.isNull(1) ? nil : row.text(1), basis: basis,
        mergedInto: row.isNull(3) ? nil : row.text(3), engine: row.isNull(4) ? nil : row.text(4),
        recognized: row.isNull(5) ? nil : row.text(5))
    }
    guard !entries.isEmpty else { return SessionSpeakers() }
    let turns = try database.rows(
      """
      SELECT start, "end", speaker, confidence, channel FROM speaker_turn
      WHERE session = ? AND start <= ? AND "end" >= ? ORDER BY start, "end"
      """, .integer(session), .real(end + 1), .real(start - 1), read: turn)
    let assignments = try database.rows(
      "SELECT segment, speaker FROM assignment WHERE session = ? AND segment BETWEEN ? AND ?",
      .integer(session), .integer(ids?.min() ?? 0), .integer(ids?.max() ?? .max)
    ) { ($0.integer(0), $0.text(1)) }
    var speakers = SessionSpeakers(
      entries: entries, turns: turns, assignments: Dictionary(uniqueKeysWithValues: assignments))
    speakers.parts = try assignedParts(
      of: session, (ids?.min() ?? 0)...(ids?.max() ?? .max), in: database)
    speakers.echoes = try echoes(of: session, within: start...end, in: database)
    return speakers
  }

  /// - Parameter row: start, end, speaker, confidence and channel.
  func turn(_ row: StoreStatement) throws -> SpeakerTurn {
    let turn = SpeakerTurn(
      start: row.real(0), end: row.real(1), speaker: row.text(2),
      confidence: row.isNull(3) ? nil : row.real(3), channel: row.isNull(4) ? nil : row.integer(4))
    guard TimeInterval.arePossible(turn.start, turn.end), isChannel(row, 4) else {
      throw error(.damaged("a speaker's turn is from \(turn.start) to \(turn.end) seconds"))
    }
    return turn
  }

  /// - Parameter range: only echoes in this range, in seconds; nil for all.
  func echoes(
    of session: Int, within range: ClosedRange<TimeInterval>? = nil, in database: StoreDatabase
  ) throws -> [EchoWord] {
    try database.rows(
      """
      SELECT channel, start, "end", word FROM echo
      WHERE session = ? AND start <= ? AND "end" >= ? ORDER BY channel, start, "end"
      """, .integer(session), .real(range?.upperBound ?? TimeInterval.longestAudio),
      .real(range?.lowerBound ?? 0)
    ) { row in
      guard TimeInterval.arePossible(row.real(1), row.real(2)), self.isChannel(row, 0) else {
        throw self.error(.damaged("an echo is from \(row.real(1)) to \(row.real(2)) seconds"))
      }
      return EchoWord(channel: row.integer(0), start: row.real(1), end: row.real(2), word: row.text(3))
    }
  }

  /// The segments with their speakers.
  func labelled(_ segments: [Segment], of session: Int, in database: StoreDatabase) throws -> [Segment] {
    guard !segments.isEmpty else { return [] }
    return try speakers(of: session, for: segments, in: database).label(segments).segments
  }

  func removeSpeakers(of session: Int, in database: StoreDatabase) throws {
    try database.run("DELETE FROM speaker WHERE session = ?", .integer(session))
    try database.run("DELETE FROM speaker_turn WHERE session = ?", .integer(session))
    try database.run("DELETE FROM assignment WHERE session = ?", .integer(session))
    try database.run("DELETE FROM assigned_part WHERE session = ?", .integer(session))
    try database.run("DELETE FROM echo WHERE session = ?", .integer(session))
  }

  func insert(_ speakers: SessionSpeakers, _ session: Int, in database: StoreDatabase) throws {
    for (position, entry) in speakers.entries.enumerated() {
      try database.run(
        """
        INSERT INTO speaker (session, position, id, name, basis, merged_into, engine, recognized)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(session), .integer(position), .text(entry.id), StoreValue(entry.name),
        .text(entry.basis.rawValue), StoreValue(entry.mergedInto), StoreValue(entry.engine),
        StoreValue(entry.recognized))
    }
    for turn in speakers.turns {
      try database.run(
        "INSERT INTO speaker_turn (session, start, \"end\", speaker, confidence, channel) VALUES (?, ?, ?, ?, ?, ?)",
        .integer(session), .real(turn.start), .real(turn.end), .text(turn.speaker),
        turn.confidence.map(StoreValue.real) ?? .null, StoreValue(turn.channel))
    }
    for (segment, speaker) in speakers.assignments {
      try assign(segment, to: speaker, session, in: database)
    }
    for part in speakers.parts { try assign(part, session, in: database) }
    for echo in speakers.echoes {
      try database.run(
        "INSERT INTO echo (session, channel, start, \"end\", word) VALUES (?, ?, ?, ?, ?)",
        .integer(session), .integer(echo.channel), .real(echo.start), .real(echo.end), .text(echo.word))
    }
  }

  /// The parts of segments whose speakers a person assigned, each with the channel of its segment.
  func assignedParts(
    of session: Int, in database: StoreDatabase
  ) throws -> [(part: AssignedPart, channel: Int?)] {
    try database.rows(
      """
      SELECT part.segment, part.start, part."end", part.speaker, this.channel
      FROM assigned_part AS part JOIN current_revision AS this USING (session, segment)
      WHERE session = ? ORDER BY part.rowid
      """, .integer(session)
    ) { row in (try self.assignedPart(row), row.isNull(4) ? nil : row.integer(4)) }
  }

  /// - Parameter segments: the IDs of the first and the last segment.
  private func assignedParts(
    of session: Int, _ segments: ClosedRange<Int>, in database: StoreDatabase
  ) throws -> [AssignedPart] {
    try database.rows(
      """
      SELECT segment, start, "end", speaker FROM assigned_part
      WHERE session = ? AND segment BETWEEN ? AND ? ORDER BY rowid
      """, .integer(session), .integer(segments.lowerBound), .integer(segments.upperBound),
      read: assignedPart)
  }

  private func assignedPart(_ row: StoreStatement) throws -> AssignedPart {
    guard TimeInterval.arePossible(row.real(1), row.real(2)) else {
      throw error(.damaged("a part of a segment is from \(row.real(1)) to \(row.real(2)) seconds"))
    }
    return AssignedPart(segment: row.integer(0), start: row.real(1), end: row.real(2), speaker: row.text(3))
  }

  /// When the segments are whose speakers a person assigned.
  func assignedTurns(of session: Int, in database: StoreDatabase) throws -> [SpeakerTurn] {
    try database.rows(
      """
      SELECT start, "end", speaker, channel
      FROM assignment CROSS JOIN current_revision USING (session, segment) WHERE session = ?
      """, .integer(session)
    ) { row in
      SpeakerTurn(
        start: row.real(0), end: row.real(1), speaker: row.text(2),
        channel: row.isNull(3) ? nil : row.integer(3))
    }
  }

  /// Stores who speaks in a segment, as a person said.
  func assign(_ segment: Int, to speaker: String, _ session: Int, in database: StoreDatabase) throws {
    try database.run(
      "INSERT INTO assignment (session, segment, speaker) VALUES (?, ?, ?)", .integer(session),
      .integer(segment), .text(speaker))
  }

  /// Stores who speaks in a part of a segment, as a person said.
  func assign(_ part: AssignedPart, _ session: Int, in database: StoreDatabase) throws {
    try database.run(
      "INSERT INTO assigned_part (session, segment, start, \"end\", speaker) VALUES (?, ?, ?, ?, ?)",
      .integer(session), .integer(part.segment), .real(part.start), .real(part.end), .text(part.speaker))
  }

  func check(_ turns: [SpeakerTurn]) throws {
    guard turns.allSatisfy({ TimeInterval.arePossible($0.start, $0.end) }) else {
      throw error(.invalid("a speaker's turn has impossible times"))
    }
  }

  func check(_ speakers: SessionSpeakers) throws {
    guard speakers.parts.allSatisfy({ TimeInterval.arePossible($0.start, $0.end) }) else {
      throw error(.invalid("a part of a segment has impossible times"))
    }
    try check(speakers.turns)
    guard speakers.echoes.allSatisfy({ TimeInterval.arePossible($0.start, $0.end) }) else {
      throw error(.invalid("an echo has impossible times"))
    }
    guard Set(speakers.entries.map(\.id)).count == speakers.entries.count else {
      throw error(.invalid("two speakers have the same ID"))
    }
  }
}
