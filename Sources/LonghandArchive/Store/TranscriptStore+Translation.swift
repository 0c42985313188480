import LonghandTranscripts

/// The translation of a session: a second text, beside the recognizer's, which stays as it is.
extension TranscriptStore {
  /// The translation of a session; nil if it has none.
  ///
  /// - Throws: `StoreError`.
  public func translation(of session: String) throws -> Translation? {
    try read { database in
      let rows = try database.rows(
        """
        SELECT start, "end", translation.text, translation.model FROM translation
        WHERE session = ? ORDER BY start, rowid
        """, .integer(try self.number(of: session, in: database))
      ) { (Translation.Passage(start: $0.real(0), end: $0.real(1), text: $0.text(2)), $0.text(3)) }
      return rows.first.map { Translation(model: $0.1, passages: rows.map(\.0)) }
    }
  }

  /// Whether a session has a translation.
  ///
  /// - Throws: `StoreError`.
  public func hasTranslation(of session: String) throws -> Bool {
    try read { database in
      try database.row(
        "SELECT 1 FROM translation WHERE session = ? LIMIT 1",
        .integer(try self.number(of: session, in: database))
      ) { _ in true } ?? false
    }
  }

  /// Replaces the translation of a session.
  ///
  /// - Parameter translation: nil to have none.
  /// - Throws: `StoreError`.
  package func setTranslation(_ translation: Translation?, of session: String) throws {
    try write { database in
      try database.transaction {
        let number = try self.number(of: session, in: database)
        try database.run("DELETE FROM translation WHERE session = ?", .integer(number))
        try self.insert(translation, number, in: database)
      }
    }
  }

  /// Stores the translation of a session that has none.
  func insert(_ translation: Translation?, _ session: Int, in database: StoreDatabase) throws {
    for passage in translation?.passages ?? [] {
      try database.run(
        "INSERT INTO translation (session, start, \"end\", text, model) VALUES (?, ?, ?, ?, ?)",
        .integer(session), .real(passage.start), .real(passage.end), .text(passage.text),
        .text(translation?.model ?? ""))
    }
  }
}
