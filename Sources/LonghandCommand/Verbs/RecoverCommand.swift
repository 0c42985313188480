import Foundation
import Longhand

/// `longhand recover`: finishes interrupted recordings and imports.
struct RecoverCommand: Verb {
  static let description = VerbDescription(
    name: "recover",
    summary: "Finish recordings and imports that were interrupted",
    operands: "",
    discussion: """
      Use it after a crash, a power failure or a full disk. It transcribes the rest of
      each interrupted session and prints the session's ID. It deletes nothing, does
      not change complete sessions, and can be run any number of times.
      """,
    options: [
      .library, .locale, .engine, .vocabulary, .languageModel, .languageModelWeight, .alternatives,
      .reranking, .quiet,
    ],
    examples: [.init(purpose: "Finish everything that was interrupted", command: "longhand recover")])

  private let location: LibraryLocation
  private let options: TranscriberOptions

  init(_ arguments: ParsedArguments) throws {
    _ = try arguments.operands(named: [])
    location = try LibraryLocation(arguments)
    options = try TranscriberOptions(arguments)
  }

  func run(_ console: Console) async throws -> Int32 {
    let transcriber = FileTranscriber(options: try await options.transcription())
    var status = ExitStatus.done
    for outcome in try await location.open().recover(by: transcriber) {
      switch outcome {
      case .complete(let session): try console.output.write("\(session.id)\n")
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
