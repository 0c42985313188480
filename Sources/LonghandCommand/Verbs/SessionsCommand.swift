import Foundation
import Longhand

/// `longhand sessions`: what is in the library.
struct SessionsCommand: Verb {
  static let description = VerbDescription(
    name: "sessions",
    summary: "Lists the recordings of the library, the newest first",
    operands: "",
    discussion: """
      A line a session: the beginning of its ID, when it began, how long it is, what
      became of it, and its name. --json prints an array with the whole of each.
      """,
    options: [.library, .reportJSON],
    examples: [.init(purpose: "what there is", command: "longhand sessions")])

  private let location: LibraryLocation
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    _ = try arguments.operands(named: [])
    location = try LibraryLocation(arguments)
    isJSON = arguments.has(.reportJSON)
  }

  func run(_ console: Console) async throws -> Int32 {
    let sessions = try location.open().store.sessions(limit: .max)
    if isJSON {
      try console.output.write(JSONLine.string(sessions) + "\n")
    } else {
      for session in sessions { try console.output.write(Self.line(session)) }
    }
    return ExitStatus.done
  }

  private static func line(_ session: RecordedSession) -> String {
    let start = session.start.formatted(
      .verbatim(
        "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
        timeZone: .current, calendar: Calendar(identifier: .gregorian)))
    let state = session.state.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0)
    let source = session.source.escapingControls
    return
      "\(session.id.prefix(8))  \(start)  \(Milliseconds(seconds: session.duration).clock)  \(state)  \(source)\n"
  }
}
