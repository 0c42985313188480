extension TranscriptStore {
  /// Erases a session. When this returns, none of its text is in the file, its log or its index.
  ///
  /// The whole file is rewritten for this, which takes time and disk space in proportion to the store. Other writers wait
  /// meanwhile; readers do not. If the erasure fails, the session remains without its text and with the state `erasing`, so
  /// that it can be found and erased again.
  ///
  /// - Parameter session: the ID of the session.
  /// - Throws: `StoreError`; `erasureIncomplete` if copies may remain, for example because a reader still holds old data, and
  ///   `erasureNeedsRoom` if the disk has no room for the new file.
  public func erase(_ session: String) throws {
    try removeContent(of: session)
    do {
      do {
        try forget()
      } catch let cause as StoreError where cause.problem == .diskFull {
        try forget(needsNoRoom: true)
      }
    } catch let cause as StoreError {
      if cause.problem == .diskFull { throw error(.erasureNeedsRoom) }
      throw error(.erasureIncomplete(cause.problem == .locked ? "it is being read" : cause.description))
    }
    try write { try $0.run("DELETE FROM session WHERE id = ?", .text(session)) }
  }

  /// Removes the rows of a session; bytes of them remain in the file. If the index is damaged, it is built again.
  func removeContent(of session: String) throws {
    do {
      try removeContent(of: session, rebuildsIndex: false)
    } catch let error as StoreError where error.isDamage {
      try removeContent(of: session, rebuildsIndex: true)
    }
  }

  private func removeContent(of session: String, rebuildsIndex: Bool) throws {
    try write { database in
      try database.transaction {
        let number = try database.row("SELECT number FROM session WHERE id = ?", .text(session)) {
          $0.integer(0)
        }
        guard let number else { throw self.error(.noSession(session)) }
        if !rebuildsIndex {
          try database.run(
            """
            INSERT INTO word_index (word_index, rowid, text)
              SELECT 'delete', number, text FROM current_revision WHERE session = ?
            """, .integer(number))
        }
        try database.run("DELETE FROM revision WHERE session = ?", .integer(number))
        try database.run("DELETE FROM segment WHERE session = ?", .integer(number))
        try database.run("DELETE FROM coverage_span WHERE session = ?", .integer(number))
        try database.run("DELETE FROM translation WHERE session = ?", .integer(number))
        try self.removeSpeakers(of: number, in: database)
        try self.removeTurnsByNumber(of: number, in: database)
        try Self.hide(session, in: database)
        if rebuildsIndex { try self.rebuildIndex(in: database) }
      }
    }
  }

  /// Marks a session as being erased: its text is not read any more, but remains in the file. This needs room for a few
  /// kilobytes only.
  func hide(_ session: String) throws {
    do { try write { try Self.hide(session, in: $0) } } catch let error as StoreError
      where error.problem == .diskFull
    { try Self.hide(session, in: StoreDatabase.openAlone(file)) }
  }

  private static func hide(_ session: String, in database: StoreDatabase) throws {
    try database.run(
      """
      UPDATE session SET state = 'erasing', source = '', locale = '', engine = '', duration = 0,
        vocabulary_name = NULL, vocabulary_sha256 = NULL, folder = NULL, name = NULL, model_name = NULL,
        model_sha256 = NULL, spellings = NULL, failure = NULL, note = NULL, tags = NULL WHERE id = ?
      """, .text(session))
  }

  /// Builds the index again from the texts.
  private func rebuildIndex(in database: StoreDatabase) throws {
    try database.dropIndex()
    try database.execute(StoreMigration.index)
    try database.run("INSERT INTO word_index (rowid, text) SELECT number, text FROM current_revision")
  }

  /// Removes the bytes that removed rows have left in the file.
  ///
  /// Until the index is merged, a removed word is in it twice: as an entry and as a mark that the entry is deleted. The
  /// index is built again instead, because a damaged one cannot be merged. And
  /// `secure_delete` overwrites deleted rows, but not the copies that remain in a page when its rows move to another page.
  /// Only rewriting the file removes them.
  ///
  /// - Parameter needsNoRoom: whether only the log needs room on the disk: a large store is then not rewritten.
  func forget(needsNoRoom: Bool = false) throws {
    try write { database in
      // It may have grown until the disk was full.
      if needsNoRoom { try database.emptyLog() }
      do {
        try database.transaction { try self.rebuildIndex(in: database) }
      } catch let error as StoreError where error.isDamage {
        // Some systems allow no change of the schema.
        try database.run("INSERT INTO word_index (word_index) VALUES ('optimize')")
      }
      if needsNoRoom { try database.emptyLog() }
      try database.vacuum(inMemory: needsNoRoom)
      try database.emptyLog()
    }
  }
}
