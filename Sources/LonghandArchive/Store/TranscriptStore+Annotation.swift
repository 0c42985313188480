import Foundation

/// Changes of what a person writes about a session. What is nil stays as it is.
package struct SessionAnnotation: Sendable, Hashable {
  /// The name, by which `TranscriptStore.session(matching:)` finds the session; empty removes it.
  package var name: String?
  /// The note; empty removes it.
  package var note: String?
  /// All tags.
  package var tags: [String]?
  /// The tags from which `tags` were made: what others added and removed since then stays so. Nil if all tags are
  /// replaced.
  package var tagsBefore: [String]?

  package init(
    name: String? = nil, note: String? = nil, tags: [String]? = nil, tagsBefore: [String]? = nil
  ) {
    self.name = name
    self.note = note
    self.tags = tags
    self.tagsBefore = tagsBefore
  }
}

extension TranscriptStore {
  /// The most characters of a note.
  public static let maxNoteLength = 10_000
  /// The most tags of a session.
  public static let maxTags = 20
  /// The most characters of a tag.
  public static let maxTagLength = 40

  /// Gives a session a name, by which `session(matching:)` finds it. Several sessions can have the same name.
  ///
  /// - Parameters:
  ///   - session: the ID of the session.
  ///   - name: one line of 1 to 200 characters that is not `last`, not an ID, and not the first 8 or more characters of
  ///     another session's ID; nil removes the name.
  /// - Throws: `StoreError`.
  public func rename(_ session: String, to name: String?) throws {
    if name == "" { throw error(Self.impossibleName) }
    try annotate(session, SessionAnnotation(name: name ?? ""))
  }

  /// Changes the name, the note and the tags of a session: all of them or, if an error is thrown, none.
  ///
  /// - Parameters:
  ///   - session: the ID of the session.
  ///   - annotation: a name is as in `rename(_:to:)`; a note has at most `maxNoteLength` characters; each tag is one line
  ///     without a comma. A tag that occurs twice counts once.
  ///     What others did with tags since those in `tagsBefore` stays.
  /// - Throws: `StoreError`.
  package func annotate(_ session: String, _ annotation: SessionAnnotation) throws {
    if let name = annotation.name { try check(name: name, of: session) }
    if let note = annotation.note, note.count > Self.maxNoteLength {
      throw error(.invalid("a note has at most \(Self.maxNoteLength) characters"))
    }
    try write { database in
      try database.transaction {
        let number = try self.number(of: session, in: database)
        if let name = annotation.name {
          try database.run(
            "UPDATE session SET name = ? WHERE number = ?", StoreValue(name.isEmpty ? nil : name),
            .integer(number))
        }
        if let note = annotation.note {
          try database.run(
            "UPDATE session SET note = ? WHERE number = ?", StoreValue(note.isEmpty ? nil : note),
            .integer(number))
        }
        if let tags = annotation.tags {
          let present = try database.row(
            "SELECT coalesce(tags, '[]') FROM session WHERE number = ?", .integer(number)
          ) { Self.tags($0.text(0)) ?? [] }
          let stored = try self.checked(
            Self.merged(tags, from: annotation.tagsBefore, with: present ?? []))
          try database.run(
            "UPDATE session SET tags = ? WHERE number = ?", StoreValue(stored), .integer(number))
        }
      }
    }
  }

  /// Checks a name, also before there is a session that gets it. An empty one removes the name of a session.
  /// - Parameter session: the ID of the session; nil if there is none yet.
  /// - Throws: `StoreError` if the session cannot have the name.
  package func check(name: String, of session: String? = nil) throws {
    guard name.isEmpty || Self.isPossible(name) else { throw error(Self.impossibleName) }
    guard name.count >= Self.shownLength else { return }
    // The other session could no longer be found by the characters of its ID that are shown.
    let start = name.lowercased()
    let other = try read { database in
      try database.row(
        "SELECT id FROM session WHERE id >= ?1 AND id < ?1 || '~' AND id != ?2", .text(start),
        .text(session ?? "")
      ) { $0.text(0) }
    }
    guard other == nil else {
      throw error(.invalid("a name cannot be the beginning of another session's ID"))
    }
  }

  /// The characters of an ID that are shown in place of all.
  private static let shownLength = 8

  private static let impossibleName = StoreError.Problem.invalid(
    "a name has 1 to 200 characters on one line, and is neither 'last' nor an ID")

  private static func isPossible(_ name: String) -> Bool {
    isLine(name, atMost: 200) && name != "last" && UUID(uuidString: name) == nil
  }

  private static func isLine(_ text: String, atMost length: Int) -> Bool {
    (1...length).contains(text.count) && text.contains { !$0.isWhitespace }
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// The tags that someone wants who knew those `before`, with what others added and removed since then.
  private static func merged(_ tags: [String], from before: [String]?, with present: [String]) -> [String] {
    let tags = tags.map { $0.trimmingCharacters(in: .whitespaces) }
    guard let before else { return tags }
    return tags.filter { present.contains($0) || !before.contains($0) }
      + present.filter { !before.contains($0) }
  }

  /// The stored form of tags; nil for none.
  private func checked(_ tags: [String]) throws -> String? {
    let tags = tags.map { $0.trimmingCharacters(in: .whitespaces) }.eachOnce
    guard tags.count <= Self.maxTags,
      tags.allSatisfy({ Self.isLine($0, atMost: Self.maxTagLength) && !$0.contains(",") })
    else {
      throw error(
        .invalid(
          "a session has at most \(Self.maxTags) tags, each of 1 to \(Self.maxTagLength) characters without a comma"
        ))
    }
    return tags.isEmpty ? nil : String(decoding: try JSONEncoder().encode(tags), as: UTF8.self)
  }

  /// The tags in their stored form.
  static func tags(_ text: String) -> [String]? {
    try? JSONDecoder().decode([String].self, from: Data(text.utf8))
  }
}
