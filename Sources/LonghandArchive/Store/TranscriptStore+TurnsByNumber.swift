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
    for (voices, own) in turns.turns {
      for turn in own {
        try database.run(
          """
          INSERT INTO numbered_turn (session, voices, start, "end", speaker, confidence, engine)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """,
          .integer(session), .integer(voices), .real(turn.start), .real(turn.end), .text(turn.speaker),
          turn.confidence.map(StoreValue.real) ?? .null, .text(turns.engine))
      }
    }
  }

  /// Who speaks when if there is this number of voices.
  ///
  /// - Returns: the turns in the order of time, and what separated the voices; nil if they are not stored.
  /// - Throws: `StoreError`.
  package func turns(of session: String, voices: Int) throws -> (turns: [SpeakerTurn], engine: String)? {
    try read { database in
      let rows = try database.rows(
        """
        SELECT start, "end", speaker, confidence, NULL, engine FROM numbered_turn
        WHERE session = ? AND voices = ? ORDER BY start, "end"
        """, .integer(try self.number(of: session, in: database)), .integer(voices)
      ) { (try self.turn($0), $0.text(5)) }
      return rows.first.map { (rows.map(\.0), $0.1) }
    }
  }

  func removeTurnsByNumber(of session: Int, in database: StoreDatabase) throws {
    try database.run("DELETE FROM numbered_turn WHERE session = ?", .integer(session))
  }
}
