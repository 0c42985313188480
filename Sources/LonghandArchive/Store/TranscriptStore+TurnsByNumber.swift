import Foundation
import LonghandTranscripts

/// Who would speak when in a session if it had another number of voices.
extension TranscriptStore {
  /// Replaces the turns by the number of voices.
  ///
  /// - Parameter turns: nil to have none.
  /// - Throws: `StoreError`.
  package func setTurnsByNumber(_ turns: TurnsByNumber?, of session: String) throws {
    guard turns?.turns.values.joined().allSatisfy({ TimeInterval.arePossible($0.start, $0.end) }) ?? true
    else {
      throw error(.invalid("a speaker's turn has impossible times"))
    }
    try write { database in
      try database.transaction {
        let number = try self.number(of: session, in: database)
        try self.removeTurnsByNumber(of: number, in: database)
        guard let turns else { return }
        for (voices, turn) in turns.turns.flatMap({ voices, turns in turns.map { (voices, $0) } }) {
          try database.run(
            """
            INSERT INTO numbered_turn (session, voices, start, "end", speaker, confidence, engine)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(number), .integer(voices), .real(turn.start), .real(turn.end), .text(turn.speaker),
            turn.confidence.map(StoreValue.real) ?? .null, .text(turns.engine))
        }
      }
    }
  }

  /// Who speaks when if there is this number of voices.
  ///
  /// - Returns: the turns in the order of time, and what separated the voices; nil if the voices must be heard for it.
  /// - Throws: `StoreError`.
  package func turns(of session: String, voices: Int) throws -> (turns: [SpeakerTurn], engine: String)? {
    try read { database in
      let rows = try database.rows(
        """
        SELECT start, "end", speaker, confidence, engine FROM numbered_turn
        WHERE session = ? AND voices = ? ORDER BY start, "end"
        """, .integer(try self.number(of: session, in: database)), .integer(voices)
      ) { row in
        let turn = SpeakerTurn(
          start: row.real(0), end: row.real(1), speaker: row.text(2),
          confidence: row.isNull(3) ? nil : row.real(3))
        guard TimeInterval.arePossible(turn.start, turn.end) else {
          throw self.error(.damaged("a speaker's turn is from \(turn.start) to \(turn.end) seconds"))
        }
        return (turn, row.text(4))
      }
      return rows.first.map { (rows.map(\.0), $0.1) }
    }
  }

  func removeTurnsByNumber(of session: Int, in database: StoreDatabase) throws {
    try database.run("DELETE FROM numbered_turn WHERE session = ?", .integer(session))
  }
}
