import Longhand

/// `longhand delete`: erases a session.
struct DeleteCommand: Verb {
  static let description = VerbDescription(
    name: "delete",
    summary: "Erases a session: its sound, its text, and every trace in the index",
    operands: "ID",
    discussion: """
      ID is a session's, the beginning of it, or 'last'. There is no way back. The
      store is written anew for it, which takes longer the more there is in it. What
      is being recorded is not erased.
      """,
    options: [.library],
    examples: [.init(purpose: "the newest", command: "longhand delete last")])

  private let reference: SessionReference

  init(_ arguments: ParsedArguments) throws { reference = try SessionReference(arguments) }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    try library.erase(session.id)
    return ExitStatus.done
  }
}
