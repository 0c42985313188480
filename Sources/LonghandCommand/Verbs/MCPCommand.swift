import Foundation
import Longhand

/// `longhand mcp`: the library for agents, by the Model Context Protocol.
struct MCPCommand: Verb {
  private static let sessions = Option(
    "--sessions", value: "TAG", summary: "only sessions with this tag; imported files get it")
  private static let since = Option(
    "--since", value: "DATE", summary: "only sessions that started on this day or later, such as 2026-01-31")
  private static let allowChanges = Option(
    "--allow-changes",
    summary: "also offer tools that change the library or read audio files; without it, nothing can change")
  private static let page = Option(
    "--page", value: "ADDRESS",
    summary: "address of the web page for links (default: that of the running 'longhand serve')")

  static let description = VerbDescription(
    name: "mcp",
    summary: "Offer the library to an AI agent through the Model Context Protocol",
    operands: "",
    discussion: """
      An agent starts this program and uses its standard input and output; no network
      socket is opened. Tools: list_sessions, search, get_transcript, check_quotes
      and coverage. Results have times and, if asked for, links to the web page.
      check_quotes says whether a quote was said, by whom and when. Prompts let the
      agent write summaries with checked quotes. By default the agent can read all
      sessions and change none. No tool deletes a complete session. What people said
      is marked as data, but an agent may still follow it as an instruction. Be
      careful which other tools you give to an agent that reads transcripts. With
      --allow-changes, the agent can import or transcribe every audio file that you
      can read.
      """,
    options: [sessions, since, allowChanges, page, .library, .locale, .model, .vocabulary],
    examples: [
      .init(purpose: "The command to register in an agent", command: "longhand mcp"),
      .init(
        purpose: "Let the agent read only the sessions with the tag work",
        command: "longhand mcp --sessions work"),
    ])

  /// The longest message, in bytes.
  private static let maxLine = 1 << 20

  private let location: LibraryLocation
  private let filter: SessionFilter
  private let allowsChanges: Bool
  private let address: String?
  private let options: TranscriberOptions

  init(_ arguments: ParsedArguments) throws {
    _ = try arguments.operands(named: [])
    location = try LibraryLocation(arguments)
    options = try TranscriberOptions(arguments)
    allowsChanges = arguments.has(Self.allowChanges)
    address = arguments.value(Self.page)
    filter = SessionFilter(
      tag: arguments.value(Self.sessions), since: try arguments.value(Self.since).map(Self.date))
  }

  private static func date(_ text: String) throws -> Date {
    if let date = try? Date(text, strategy: .iso8601) { return date }
    let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
    guard let date = try? Date(text, strategy: day) else {
      throw Failure.usage("The option --since cannot read '\(text)'.", hint: "Example: --since 2026-01-31")
    }
    return date
  }

  func run(_ console: Console) async throws -> Int32 {
    if isatty(STDIN_FILENO) == 1 {
      throw Failure.usage(
        "Standard input is a terminal, but an agent talks to this verb.",
        hint: "Register 'longhand mcp' in the agent's settings.")
    }
    ServiceLingering.set()
    let scope = MCPScope(library: try location.open(), filter: filter, page: address)
    let changes = MCPChanges(scope: scope) { FileTranscriber(options: try await options.transcription()) }
    let session = MCPSession(MCPTools(scope, changes: allowsChanges ? changes.tools : [])) {
      try console.output.flush($0)
    }
    let lines = LineReader(
      StreamReader(descriptor: STDIN_FILENO, name: "standard input"), maxLength: Self.maxLine)
    return try await withTaskCancellationHandler {
      while let line = try await lines.next() { session.receive(line) }
      await session.finish()
      return ExitStatus.done
    } onCancel: {
      session.cancel()
    }
  }
}
