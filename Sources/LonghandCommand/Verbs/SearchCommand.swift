import Foundation
import Longhand

/// `longhand search`: where something was said.
struct SearchCommand: Verb {
  private static let limit = Option("--limit", value: "N", does: "at most so many (default: 50)")

  static let description = VerbDescription(
    name: "search",
    summary: "Finds where words were said, in the whole library",
    operands: "TEXT",
    discussion: """
      A line a place, the newest first: the beginning of the session's ID, the time,
      and the text. All words of TEXT must be in it; the last may be a beginning.
      """,
    options: [.library, limit],
    examples: [.init(purpose: "who spoke of it, and when", command: "longhand search \"counter gambit\"")])

  private let text: String
  private let location: LibraryLocation
  private let limit: Int

  init(_ arguments: ParsedArguments) throws {
    guard !arguments.operands.isEmpty else {
      throw Failure.usage("TEXT is missing", hint: arguments.listing)
    }
    text = arguments.operands.joined(separator: " ")
    location = try LibraryLocation(arguments)
    limit = try arguments.integer(Self.limit, in: 1...1_000_000) ?? 50
  }

  func run(_ console: Console) async throws -> Int32 {
    for hit in try location.open().store.search(text, limit: limit) {
      try console.output.write(
        "\(hit.session.prefix(8))  [\(Milliseconds(seconds: hit.start).clock)]  \(hit.text.escapingControls)\n"
      )
    }
    return ExitStatus.done
  }
}
