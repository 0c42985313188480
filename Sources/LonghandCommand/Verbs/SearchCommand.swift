import Foundation
import Longhand

/// `longhand search`: finds words in all transcripts.
struct SearchCommand: Verb {
  private static let limit = Option("--limit", value: "N", summary: "show at most N results (default: 50)")

  private static let term = Option(
    "--term", value: "TERM",
    summary: "instead of TEXT: find a name of the vocabulary, or its ID, even where it was recognized wrongly"
  )

  static let description = VerbDescription(
    name: "search",
    summary: "Find where words were said, in all sessions of the library",
    operands: "TEXT",
    discussion: """
      A result is a segment (speech between two pauses) with all words of TEXT. The
      last word of TEXT can be the beginning of a word. Each result is one line: the
      first characters of the session's ID, the time, and the text. The newest
      session comes first; in a session, the results are in the order of time. If
      there is no result, the exit status is 1. Second texts are searched too; with
      --only-normalized nothing else is.
      """,
    options: [.library, .style, term, .onlyNormalized, limit],
    examples: [.init(purpose: "Find two words", command: "longhand search \"counter gambit\"")])

  private let text: String
  private let isTerm: Bool
  private let location: LibraryLocation
  private let limit: Int
  private let style: TextStyle
  private let isOnlyNormalized: Bool

  init(_ arguments: ParsedArguments) throws {
    if let term = arguments.value(Self.term) {
      _ = try arguments.operands(named: [])
      (text, isTerm) = (term, true)
    } else {
      guard !arguments.operands.isEmpty else {
        throw Failure.usage("The argument TEXT is missing.", hint: arguments.listing)
      }
      (text, isTerm) = (arguments.operands.joined(separator: " "), false)
    }
    location = try LibraryLocation(arguments)
    style = try TextStyle(arguments)
    isOnlyNormalized = arguments.has(.onlyNormalized)
    limit = try arguments.integer(Self.limit, in: 1...1_000_000) ?? 50
  }

  func run(_ console: Console) async throws -> Int32 {
    let store = try location.open().store
    let lines = try hits(in: store).map { Self.line($0.session, $0.start, $0.text) }
    guard !lines.isEmpty else {
      throw Failure(
        .notFound, "Nothing was found for '\(text)'.", input: text,
        hint: isTerm
          ? "'longhand terms' lists the names that were said."
          : "Try fewer words, or the beginning of a word.")
    }
    for line in lines { try console.output.write(line) }
    return ExitStatus.done
  }

  private func hits(in store: TranscriptStore) throws -> [SearchHit] {
    func found() throws -> [SearchHit] {
      isTerm
        ? try store.search(term: text, limit: limit)
        : try store.search(text, limit: limit, isSecondTextOnly: isOnlyNormalized)
    }
    guard style == .sentences else { return try found() }
    // Meanwhile the index is searched.
    DispatchQueue.global().async { SentenceWriter.prepare() }
    return try store.written(found())
  }

  private static func line(_ session: String, _ start: Double, _ text: String) -> String {
    "\(session.prefix(8))  [\(Milliseconds(seconds: start).clock)]  \(text.escapingControls)\n"
  }
}
