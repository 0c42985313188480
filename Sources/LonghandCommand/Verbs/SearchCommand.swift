import Foundation
import Longhand

/// `longhand search`: finds words in all transcripts.
struct SearchCommand: Verb {
  private static let limit = Option("--limit", value: "N", summary: "show at most N results (default: 50)")

  static let description = VerbDescription(
    name: "search",
    summary: "Find where words were said, in all sessions of the library",
    operands: "TEXT",
    discussion: """
      Prints one line per result: the first characters of the session's ID, the time,
      and the text. The newest session comes first; the results in a session are in
      the order in which they were said. A result contains all words of TEXT. For the
      last word, its first letters are enough. The exit status is 1 if there is no
      result.
      """,
    options: [.library, limit],
    examples: [.init(purpose: "Find two words", command: "longhand search \"counter gambit\"")])

  private let text: String
  private let location: LibraryLocation
  private let limit: Int

  init(_ arguments: ParsedArguments) throws {
    guard !arguments.operands.isEmpty else {
      throw Failure.usage("The argument TEXT is missing.", hint: arguments.listing)
    }
    text = arguments.operands.joined(separator: " ")
    location = try LibraryLocation(arguments)
    limit = try arguments.integer(Self.limit, in: 1...1_000_000) ?? 50
  }

  func run(_ console: Console) async throws -> Int32 {
    let hits = try location.open().store.search(text, limit: limit)
    guard !hits.isEmpty else {
      throw Failure(
        .notFound, "Nothing was found for '\(text)'.", input: text,
        hint: "Try fewer words, or the beginning of a word.")
    }
    for hit in hits {
      try console.output.write(
        "\(hit.session.prefix(8))  [\(Milliseconds(seconds: hit.start).clock)]  \(hit.text.escapingControls)\n"
      )
    }
    return ExitStatus.done
  }
}
