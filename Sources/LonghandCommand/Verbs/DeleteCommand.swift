import Foundation
import Longhand

/// `longhand delete`: deletes a session.
struct DeleteCommand: Verb {
  private static let yes = Option("-y", "--yes", summary: "do not ask")
  private static let force = Option(
    "--force",
    summary:
      "also delete a session that is in use, after stopping it, or that 'longhand recover' could complete")

  static let description = VerbDescription(
    name: "delete",
    summary: "Delete a session: its audio and its transcript",
    operands: "ID",
    discussion: """
      ID is the ID of a session, its first characters, its name, or 'last'.
      A deleted session cannot be restored. On a terminal, longhand asks first. In a
      script, where standard input or standard error is not a terminal, it does not
      ask. The library's database is rewritten so that no deleted text remains in
      it; this takes longer in a large library. A session that is being recorded,
      imported or transcribed, or that was interrupted, is deleted only with --force,
      which stops it first, whichever program works on it. ID can also be that of a
      file that is being uploaded, as 'longhand stop' lists it.
      """,
    options: [.library, yes, force],
    examples: [
      .init(purpose: "Delete the newest session", command: "longhand delete last"),
      .init(purpose: "Delete it without a question", command: "longhand delete last --yes"),
    ])

  private let reference: SessionReference
  private let asks: Bool
  private let isForced: Bool

  init(_ arguments: ParsedArguments) throws {
    reference = try SessionReference(arguments)
    asks = !arguments.has(Self.yes)
    isForced = arguments.has(Self.force)
  }

  func run(_ console: Console) async throws -> Int32 {
    let library = try reference.library()
    if let upload = reference.upload(in: library) {
      library.uploads.remove(upload.id)
      return ExitStatus.done
    }
    let session = try reference.session(in: library)
    if !isForced { try Self.check(session, library.activity(of: session)) }
    if asks, Console.canAsk, !(try await console.confirms(Self.question(session, library))) {
      console.note("Nothing was deleted.")
      return ExitStatus.failed
    }
    do {
      if isForced { try await library.stopAll(session.id) }
      try library.erase(session.id, force: isForced)
    } catch let error as StoreError where error.problem == .erasureNeedsRoom {
      console.note("\(error)")
    }
    return ExitStatus.done
  }

  /// Throws a failure for a session that must not be deleted by mistake.
  static func check(_ session: RecordedSession, _ activity: SessionActivity) throws {
    let input = String(session.id.prefix(8))
    switch activity.state {
    case .complete, .incomplete, .stopped, .erasing: return
    case .interrupted, .failed:
      throw Failure(
        .library, "The session is not complete, and 'longhand recover' could complete it.", input: input,
        hint: "To delete it anyway: longhand delete \(input) --force")
    case .queued:
      throw Failure(
        .library, "The session waits to be transcribed by a server.", input: input,
        hint: "To take it out of the queue and delete it: longhand delete \(input) --force")
    case .importing, .recording, .transcribing:
      throw Failure(
        .library, "The session is in use: a process is \(activity.state.rawValue) it.", input: input,
        hint: "Stop it with 'longhand stop \(input)', or stop and delete it: longhand delete \(input) --force"
      )
    }
  }

  /// What is asked before a session is deleted: its name, date, length and first words.
  static func question(_ session: RecordedSession, _ library: Library) throws -> String {
    let seconds = Milliseconds(seconds: library.duration(of: session)).clock
    let isErasing = session.state == .erasing
    let text =
      isErasing ? "" : try library.store.segments(of: session.id, from: 0, limit: 1).first?.text ?? ""
    let words = text.split(separator: " ").prefix(8).joined(separator: " ")
    let quoted = words.isEmpty ? "no words" : "\"\(words)\(words == text ? "" : " …")\""
    let about = "\(session.source), \(SessionsCommand.date(session.start)), \(seconds), \(quoted)"
    return "Delete session \(session.id.prefix(8)) (\(about))? It cannot be restored."
  }
}
