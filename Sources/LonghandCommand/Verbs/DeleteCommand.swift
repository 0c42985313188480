import Longhand

/// `longhand delete`: deletes a session.
struct DeleteCommand: Verb {
  static let description = VerbDescription(
    name: "delete",
    summary: "Delete a session: its audio and its transcript",
    operands: "ID",
    discussion: """
      ID is the ID of a session, its first characters, or 'last' for the newest.
      A deleted session cannot be restored. The library's database is rewritten so
      that no trace remains, which takes longer in a large library. A session that
      is being recorded cannot be deleted.
      """,
    options: [.library],
    examples: [.init(purpose: "Delete the newest session", command: "longhand delete last")])

  private let reference: SessionReference

  init(_ arguments: ParsedArguments) throws { reference = try SessionReference(arguments) }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    try library.erase(session.id)
    return ExitStatus.done
  }
}
