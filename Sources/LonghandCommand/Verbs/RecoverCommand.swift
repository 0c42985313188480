import Foundation
import Longhand

/// `longhand recover`: finishes interrupted recordings, imports and deletions.
struct RecoverCommand: Verb {
  static let description = VerbDescription(
    name: "recover",
    summary: "Finish everything that was interrupted",
    operands: "[ID…]",
    discussion: """
      Use it after a crash, a power failure or a full disk. It transcribes the rest
      of each interrupted session, and prints the session's ID. Sessions that were
      stopped, with 'longhand stop' or on the page, continue only if you name them,
      by their ID, its first characters or their name. If an import was
      interrupted and its file still exists unchanged, the file is copied again. It
      also finishes interrupted deletions. If a part of a session cannot be restored,
      the session gets the state incomplete, and the exit status is 1. Complete
      sessions do not change; you can run it any number of times.
      """,
    options: [.library] + Option.recognition + [.log, .quiet],
    examples: [
      .init(purpose: "Finish everything that was interrupted", command: "longhand recover"),
      .init(purpose: "Continue a session that was stopped", command: "longhand recover last"),
    ])

  private let names: [String]
  private let location: LibraryLocation
  private let options: TranscriberOptions

  init(_ arguments: ParsedArguments) throws {
    names = arguments.operands
    location = try LibraryLocation(arguments)
    options = try TranscriberOptions(arguments)
  }

  func run(_ console: Console) async throws -> Int32 {
    let transcriber = FileTranscriber(options: try await options.transcription())
    var status = ExitStatus.done
    let library = try location.open()
    let sessions = try names.map { try library.store.session(matching: $0).id }
    var outcomes = try await sessions.isEmpty ? library.recover(by: transcriber) : []
    for session in sessions {
      if let outcome = try await library.recover(session: session, by: transcriber) {
        outcomes.append(outcome)
      }
    }
    for outcome in outcomes {
      switch outcome {
      case .complete(let session): try console.output.write("\(session.id)\n")
      case .incomplete(let session, let loss):
        try console.output.write("\(session.id)\n")
        console.report(
          Failure(
            .library, "The session is incomplete: \(loss).", input: String(session.id.prefix(8)),
            hint: "Put the file back and run 'longhand recover' again, or import it again."))
        status = ExitStatus.failed
      case .erased(let session):
        console.note("The deletion of session \(session.prefix(8)) is finished.")
      case .stopped(let session):
        console.report(.stopped(session))
        status = ExitStatus.failed
      case .inUse: continue
      case .failed(let session, let why):
        console.report(
          Failure(
            .library, why, input: session, hint: "The session was not changed. Run 'longhand recover' again.")
        )
        status = ExitStatus.failed
      }
    }
    return status
  }
}
