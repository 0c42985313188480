import Foundation
import Longhand

/// `longhand sessions`: lists the library.
struct SessionsCommand: Verb {
  static let description = VerbDescription(
    name: "sessions",
    summary: "List the sessions of the library, the newest first",
    operands: "",
    discussion: """
      A session is one recording or imported file with its transcript. Each line shows
      the first characters of its ID, its start, its length, its state, and the device
      or file it came from. States: recording (being recorded or transcribed),
      complete, interrupted (run 'longhand recover'), erasing (not completely deleted;
      delete it again). --json prints all fields.
      """,
    options: [.library, .reportJSON],
    examples: [.init(purpose: "List all sessions", command: "longhand sessions")])

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
