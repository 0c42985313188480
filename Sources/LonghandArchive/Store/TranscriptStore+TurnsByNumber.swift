import LonghandTranscripts

/// Who would speak when in a session if it had another number of voices.
extension TranscriptStore {
  /// Replaces the turns by the number of voices.
  ///
  /// - Parameter turns: nil to have none.
  /// - Throws: `StoreError`.
  package func setTurnsByNumber(_ turns: TurnsByNumber?, of session: String) throws {
    try write { database in
      try database.transaction {
        try self.setTurnsByNumber(turns, of: self.number(of: session, in: database), in: database)
      }
    }
  }

  /// The same in a transaction.
  func setTurnsByNumber(_ turns: TurnsByNumber?, of session: Int, in database: StoreDatabase) throws {
    try check(turns?.turns.values.flatMap(\.self) ?? [])
    try removeTurnsByNumber(of: session, in: database)
    guard let turns else { return }
    for (voices, own) in turns.turns { try insert(own, voices, by: turns.engine, session, in: database) }
  }

  private func insert(
    _ turns: [SpeakerTurn], _ voices: Int, by engine: String, _ session: Int, in database: StoreDatabase
  ) throws {
    for turn in turns {
      try database.run(
        """
        INSERT INTO numbered_turn (session, voices, start, "end", speaker, confidence, engine)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(session), .integer(voices), .real(turn.start), .real(turn.end), .text(turn.speaker),
        turn.confidence.map(StoreValue.real) ?? .null, .text(engine))
    }
  }

  /// Gives a session another number of voices by the turns that are stored for it. The turns that it has now are stored for
  /// their number, so that this number has the same names again when it is given back.
  ///
  /// - Returns: false if no turns are stored for the number; then nothing is changed.
  /// - Throws: `StoreError`.
  package func setNumber(ofVoices voices: Int, of session: String) throws -> Bool {
    try write { database in
      try database.transaction {
        let number = try self.number(of: session, in: database)
        guard let (turns, engine) = try self.turns(of: number, voices: voices, in: database) else {
          return false
        }
        let speakers = try self.speakers(of: number, in: database)
        let now = Set(speakers.turns.map(\.speaker)).count
        if now != voices, let known = try self.turns(of: number, voices: now, in: database) {
          try database.run(
            "DELETE FROM numbered_turn WHERE session = ? AND voices = ?", .integer(number), .integer(now))
          try self.insert(speakers.given(speakers.turns), now, by: known.engine, number, in: database)
        }
        try self.changeSpeakers(of: number, in: database) { _ = $0.setTurns(turns, by: engine) }
        return true
      }
    }
  }

  /// Who speaks when if there is this number of voices.
  ///
  /// - Returns: the turns in the order of time, and what separated the voices; nil if they are not stored.
  /// - Throws: `StoreError`.
  package func turns(of session: String, voices: Int) throws -> (turns: [SpeakerTurn], engine: String)? {
    try read { try self.turns(of: self.number(of: session, in: $0), voices: voices, in: $0) }
  }

  private func turns(
    of session: Int, voices: Int, in database: StoreDatabase
  ) throws -> (turns: [SpeakerTurn], engine: String)? {
    let rows = try database.rows(
      """
      SELECT start, "end", speaker, confidence, NULL, engine FROM numbered_turn
      WHERE session = ? AND voices = ? ORDER BY start, "end"
      """, .integer(session), .integer(voices)
    ) { (try self.turn($0), $0.text(5)) }
    return rows.first.map { (rows.map(\.0), $0.1) }
  }

  func removeTurnsByNumber(of session: Int, in database: StoreDatabase) throws {
    try database.run("DELETE FROM numbered_turn WHERE session = ?", .integer(session))
  }
}
