import Foundation
import Longhand

/// `longhand recover`: takes up what did not end cleanly.
struct RecoverCommand: Verb {
  static let description = VerbDescription(
    name: "recover",
    summary: "Takes up recordings that did not end cleanly, and transcribes them",
    operands: "",
    discussion: """
      Nothing is deleted, and it can be run any number of times: what is complete is
      left alone. Prints the ID of every session that it completed.
      """,
    options: [
      .library, .locale, .engine, .vocabulary, .languageModel, .languageModelWeight, .alternatives,
      .reranking, .quiet,
    ],
    examples: [.init(purpose: "after a crash", command: "longhand recover")])

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
            .library, why, input: session, hint: "nothing of it was changed; run 'longhand recover' again"))
        status = ExitStatus.failed
      }
    }
    return status
  }
}
