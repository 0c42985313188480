extension TranscriptStore {
  /// Erases a session: when this returns, nothing of what was said stands in the file, its log or its index.
  ///
  /// The file is written anew for that, which takes time and room on the disk in proportion to the whole store; others
  /// that write wait meanwhile, and readers do not. If it does not come to its end the session stays, without its text
  /// and with the state `erasing`, so that it can be found and erased again.
  ///
  /// - Parameter session: its id.
  /// - Throws: `StoreError`; `erasureIncomplete` if a copy may remain, also because somebody goes on reading what was.
  public func erase(_ session: String) throws {
    try removeContent(of: session)
    do {
      try forget()
    } catch let cause as StoreError {
      throw error(.erasureIncomplete(cause.problem == .locked ? "it is being read" : cause.description))
    }
    try write { try $0.run("DELETE FROM session WHERE id = ?", .text(session)) }
  }

  /// Removes a session's text from sight; bytes of it remain.
  func removeContent(of session: String) throws {
    try write { database in
      try database.transaction {
        let number = try database.row("SELECT number FROM session WHERE id = ?", .text(session)) {
          $0.integer(0)
        }
        guard let number else { throw self.error(.noSession(session)) }
        try database.run(
          """
          INSERT INTO word_index (word_index, rowid, text)
            SELECT 'delete', number, text FROM current_revision WHERE session = ?
          """, .integer(number))
        try database.run("DELETE FROM revision WHERE session = ?", .integer(number))
        try database.run("DELETE FROM coverage_span WHERE session = ?", .integer(number))
        try database.run(
          """
          UPDATE session SET state = 'erasing', source = '', locale = '', engine = '', duration = 0,
            vocabulary_name = NULL, vocabulary_sha256 = NULL, folder = NULL WHERE number = ?
          """, .integer(number))
      }
    }
  }

  /// Removes the bytes that removed text has left behind.
  ///
  /// A removed word stands in the index twice, where it was and in the note that it is gone, until the index is merged
  /// into one. And `secure_delete` overwrites what is deleted, but not the copies that stay in a page when its rows
  /// move to a neighbour: only a file that is written anew is without them.
  func forget() throws {
    try write { database in
      try database.run("INSERT INTO word_index (word_index) VALUES ('optimize')")
      try database.run("VACUUM")
      try database.emptyLog()
    }
  }
}
