import Foundation
import LonghandTranscripts
import LonghandVocabulary

extension TranscriptStore {
  /// Adds a session without segments.
  /// - Parameters:
  ///   - session: the session.
  ///   - spellings: what the second text of its segments is written by, see `Vocabulary.spellings`; nil for no such text.
  /// - Throws: `StoreError`.
  public func begin(_ session: RecordedSession, spellings: Vocabulary? = nil) throws {
    try check(session)
    let spellings = try spellings.map(text)
    try write { database in
      try database.transaction { try self.begin(session, spellings, in: database) }
    }
  }

  private func begin(_ session: RecordedSession, _ spellings: String?, in database: StoreDatabase) throws {
    let isKnown = try database.row("SELECT 1 FROM session WHERE id = ?", .text(session.id)) { _ in true }
    if isKnown == true { throw self.error(.sessionExists(session.id)) }
    try database.run(
      """
      INSERT INTO session (
        id, start, state, source, locale, engine, duration, vocabulary_name, vocabulary_sha256, folder,
        model_name, model_sha256, spellings, punctuation_name, punctuation_sha256
      ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .text(session.id), .real(session.start.timeIntervalSinceReferenceDate),
      .text(session.state.rawValue), .text(session.source), .text(session.locale), .text(session.engine),
      .real(session.duration), StoreValue(session.vocabulary?.name),
      StoreValue(session.vocabulary?.sha256), StoreValue(session.folder),
      StoreValue(session.model?.name), StoreValue(session.model?.sha256), StoreValue(spellings),
      StoreValue(session.punctuation?.name), StoreValue(session.punctuation?.sha256))
  }

  /// Adds a session with its segments, its coverage and its translation: all of it or, if an error is thrown, nothing.
  /// - Parameters:
  ///   - session: the session.
  ///   - transcript: its segments as in `append(_:to:)`, its spans as in `setCoverage(_:from:of:)`, and its
  ///     translation.
  ///   - speakers: as in `changeSpeakers(of:_:)`.
  ///   - spellings: as in `begin(_:spellings:)`.
  /// - Throws: `StoreError`.
  func add(
    _ session: RecordedSession, _ transcript: Transcript, _ speakers: SessionSpeakers, spellings: Vocabulary?
  ) throws {
    try check(session)
    try check(speakers)
    let spellings = try spellings.map(text)
    let rows = try transcript.segments.map { ($0, try data(of: $0)) }
    let spans = try checked(transcript.spans, from: 0)
    try write { database in
      try database.transaction {
        try self.begin(session, spellings, in: database)
        let number = try self.number(of: session.id, in: database)
        try self.append(rows, to: number, in: database)
        try self.replaceCoverage(spans, from: 0, of: number, in: database)
        try self.insert(speakers, number, in: database)
        try self.insert(transcript.translation, number, in: database)
      }
    }
  }

  /// Whether there is a session with an ID, in whatever state.
  func hasSession(_ id: String) throws -> Bool {
    try read { database in
      try database.row("SELECT 1 FROM session WHERE id = ?", .text(id)) { _ in true } ?? false
    }
  }

  /// Replaces the properties of a session; its segments stay as they are.
  ///
  /// - Throws: `StoreError`.
  public func update(_ session: RecordedSession) throws {
    try check(session)
    try write { database in
      try database.transaction {
        try self.update(session, try self.number(of: session.id, in: database), in: database)
      }
    }
  }

  func update(_ session: RecordedSession, _ number: Int, in database: StoreDatabase) throws {
    try database.run(
      """
      UPDATE session SET start = ?, state = ?, source = ?, locale = ?, engine = ?, duration = ?,
        vocabulary_name = ?, vocabulary_sha256 = ?, folder = ?, model_name = ?, model_sha256 = ?, failure = ?,
        punctuation_name = ?, punctuation_sha256 = ?
      WHERE number = ?
      """,
      .real(session.start.timeIntervalSinceReferenceDate), .text(session.state.rawValue),
      .text(session.source), .text(session.locale), .text(session.engine), .real(session.duration),
      StoreValue(session.vocabulary?.name), StoreValue(session.vocabulary?.sha256),
      StoreValue(session.folder), StoreValue(session.model?.name), StoreValue(session.model?.sha256),
      StoreValue(session.state == .failed ? session.failure : nil), StoreValue(session.punctuation?.name),
      StoreValue(session.punctuation?.sha256), .integer(number))
  }

  /// A page of sessions, the newest first; of sessions that started in the same second, the one that was stored last.
  ///
  /// - Parameters:
  ///   - session: only sessions that started before this one; nil for the newest.
  ///   - limit: the most sessions to return.
  ///   - filter: only sessions that it takes.
  /// - Throws: `StoreError`.
  public func sessions(
    before session: RecordedSession? = nil, limit: Int = 50, of filter: SessionFilter = SessionFilter()
  ) throws -> [RecordedSession] {
    let start = session?.start.timeIntervalSinceReferenceDate ?? .infinity
    return try read { database in
      try database.rows(
        """
        SELECT * FROM session WHERE (start, number) < (?1, (SELECT number FROM session WHERE id = ?2))
          AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(session.tags) WHERE value = ?3))
          AND (?4 IS NULL OR start >= ?4)
        ORDER BY start DESC, number DESC LIMIT ?5
        """,
        .real(start), .text(session?.id ?? ""), StoreValue(filter.tag), filter.sinceValue,
        .integer(max(0, limit)), read: self.listedSession
      ).compactMap(\.self)
    }
  }

  /// The first words of a session, at most 120 characters.
  ///
  /// - Throws: `StoreError`.
  package func excerpt(of session: String) throws -> String {
    try read { database in
      try database.row(
        """
        SELECT substr(group_concat(text, ' '), 1, 120) FROM (
          SELECT text FROM current_segment WHERE session = ? ORDER BY rank LIMIT 4)
        """, .integer(try self.number(of: session, in: database))
      ) { $0.isNull(0) ? "" : $0.text(0) } ?? ""
    }
  }

  /// The sessions whose state is not final, the newest first.
  ///
  /// - Throws: `StoreError`.
  public func unfinishedSessions() throws -> [RecordedSession] {
    try read { database in
      try database.rows(
        "SELECT * FROM session WHERE state NOT IN ('complete', 'incomplete') ORDER BY start DESC, number DESC",
        read: self.listedSession
      ).compactMap(\.self)
    }
  }

  /// The IDs of these sessions, also of those that are damaged otherwise.
  func unfinishedIDs() throws -> [String] {
    try read { database in
      try database.rows("SELECT id FROM session WHERE state NOT IN ('complete', 'incomplete')") { $0.text(0) }
    }
  }

  /// The session whose ID starts with a text or whose name is the text, or the newest session if the text is `last`.
  ///
  /// - Throws: `StoreError` if no session matches, or more than one.
  public func session(matching text: String) throws -> RecordedSession {
    if text == "last" {
      guard let newest = try sessions(limit: 1).first else { throw error(.noSession(text)) }
      return newest
    }
    guard !text.isEmpty else { throw error(.noSession(text)) }
    // All characters of an ID sort before "~". A range has no wildcards that the text could contain.
    let matching = try read { database in
      try database.rows(
        "SELECT * FROM session WHERE id >= ?1 AND id < ?1 || '~' OR name = ?2 ORDER BY id LIMIT 5",
        .text(text.lowercased()), .text(text), read: self.session)
    }
    let found = try matching.isEmpty ? sessions(ofFile: text) : matching
    guard let first = found.first else { throw error(.noSession(text)) }
    guard found.count == 1 else { throw error(.ambiguousSession(text, found.map(\.id))) }
    return first
  }

  /// The sessions without a name of their own whose file has a name, with its extension or without; at most five.
  private func sessions(ofFile name: String) throws -> [RecordedSession] {
    try read { database in
      try database.rows(
        """
        SELECT * FROM session WHERE name IS NULL AND (source = ?1 OR substr(source, 1, length(?1) + 1) = ?1 || '.'
        AND instr(substr(source, length(?1) + 2), '.') = 0) ORDER BY id LIMIT 5
        """, .text(name), read: self.session)
    }
  }

  private func check(_ session: RecordedSession) throws {
    guard Self.arePossible(session.start, session.duration) else {
      throw error(.invalid("the session has an impossible start or duration"))
    }
  }

  /// A date beyond some thousand years cannot be written.
  private static func arePossible(_ start: Date, _ duration: TimeInterval) -> Bool {
    TimeInterval.arePossible(0, duration) && abs(start.timeIntervalSinceReferenceDate) < 1e11
  }

  /// The session with a key.
  func session(_ number: Int, in database: StoreDatabase) throws -> RecordedSession {
    let session = try database.row(
      "SELECT * FROM session WHERE number = ?", .integer(number), read: self.session)
    guard let session else { throw error(.noSession("\(number)")) }
    return session
  }

  /// Converts a row of the table `session`.
  func session(_ row: StoreStatement) throws -> RecordedSession {
    guard let session = listedSession(row), RecordedSession.State(rawValue: row.text(3)) != nil else {
      throw error(.damaged("a session has the ID '\(row.text(1))' and the state '\(row.text(3))'"))
    }
    guard Self.arePossible(Date(timeIntervalSinceReferenceDate: row.real(2)), row.real(7)) else {
      throw error(.damaged("the session \(row.text(1)) has an impossible start or duration"))
    }
    return session
  }

  /// A session for a list, where a damaged row must not hide the others: it is `interrupted`, and `recover` reports the
  /// damage. Nil if the row has no ID.
  private func listedSession(_ row: StoreStatement) -> RecordedSession? {
    guard let id = UUID(uuidString: row.text(1)) else { return nil }
    let (start, duration) = (Date(timeIntervalSinceReferenceDate: row.real(2)), row.real(7))
    let isPossible = Self.arePossible(start, duration)
    let state = isPossible ? RecordedSession.State(rawValue: row.text(3)) ?? .interrupted : .interrupted
    var session = RecordedSession(
      id: id, source: row.text(4), locale: row.text(5), engine: row.text(6),
      start: Self.arePossible(start, 0) ? start : Date(timeIntervalSinceReferenceDate: 0),
      duration: isPossible ? duration : 0, state: state,
      vocabulary: row.isNull(8) ? nil : VocabularyStamp(name: row.text(8), sha256: row.text(9)),
      folder: row.isNull(10) ? nil : row.text(10))
    session.name = row.isNull(11) ? nil : row.text(11)
    func stamp(_ column: Int32) -> ModelStamp? {
      guard !row.isNull(column) else { return nil }
      return ModelStamp(
        name: row.text(column), sha256: row.isNull(column + 1) ? nil : row.text(column + 1))
    }
    session.model = stamp(12)
    session.punctuation = stamp(18)
    session.failure = row.isNull(15) ? nil : row.text(15)
    session.note = row.isNull(16) ? nil : row.text(16)
    session.tags = row.isNull(17) ? nil : Self.tags(row.text(17))
    return session
  }
}
