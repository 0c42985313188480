import Foundation
import Longhand

/// `longhand sessions`: lists the library.
struct SessionsCommand: Verb {
  private static let rename = Option(
    "--rename", value: "ID=NAME",
    summary: "give the session a name, which can be used instead of its ID; an empty name removes it")

  private static let limit = Option(
    "--limit", value: "N", summary: "list at most N sessions (default: 100)")
  private static let before = Option(
    "--before", value: "ID", summary: "list only sessions that are older than this one")

  static let description = VerbDescription(
    name: "sessions",
    summary: "List the sessions of the library, the newest first",
    operands: "",
    discussion: """
      A session is one recording or imported file with its transcript. Each line
      shows the first characters of its ID, its start, its length, its state, its
      name if it has one, and the device or file it came from. The states are:
        importing      the file is being copied
        recording, transcribing, complete
        queued         it waits for its turn in 'longhand serve'
        stopped        a person stopped it; 'longhand recover ID' continues it
        interrupted    the process ended too early; run 'longhand recover'
        failed         the transcription failed; run 'longhand recover'
        incomplete     a part of the imported file is missing
        erasing        not completely deleted; run 'longhand recover'
      --json prints all fields.
      If there are more sessions than are listed, a note on standard error says so.
      """,
    options: [rename, limit, before, .library, .reportJSON],
    examples: [
      .init(purpose: "List all sessions", command: "longhand sessions"),
      .init(
        purpose: "Give the newest session a name",
        command: "longhand sessions --rename last=interview"),
      .init(purpose: "Read a session by its name", command: "longhand show interview"),
    ])

  private let location: LibraryLocation
  private let isJSON: Bool
  private let limit: Int
  private let before: String?
  private let renaming: (id: String, name: String)?

  init(_ arguments: ParsedArguments) throws {
    _ = try arguments.operands(named: [])
    renaming = try arguments.value(Self.rename).map { text in
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw Failure.usage(
          "The option --rename takes ID=NAME, not '\(text)'.", hint: "Example: --rename last=interview")
      }
      return (String(text[..<equals]), String(text[equals...].dropFirst()))
    }
    limit = try arguments.integer(Self.limit, in: 1...1_000_000_000) ?? 100
    before = arguments.value(Self.before)
    location = try LibraryLocation(arguments)
    isJSON = arguments.has(.reportJSON)
  }

  func run(_ console: Console) async throws -> Int32 {
    let library = try location.open()
    if let (id, name) = renaming {
      let session = try library.store.session(matching: id)
      try library.store.rename(session.id, to: name.isEmpty ? nil : name)
      if !name.isEmpty, (try? library.store.session(matching: name)) == nil {
        console.note(
          "More than one session has the name '\(name.escapingControls)', or an ID that starts with it. It finds none of "
            + "them.")
      }
      return ExitStatus.done
    }
    let last = try before.map { try library.store.session(matching: $0) }
    let found = try library.store.sessions(before: last, limit: limit + 1)
    let sessions = found.prefix(limit).map { Row($0, library) }
    if isJSON {
      try console.output.write(JSONLine.string(sessions) + "\n")
    } else {
      for session in sessions { try console.output.write(Self.line(session)) }
    }
    if sessions.isEmpty, before == nil, !isJSON {
      console.note(
        "The library has no sessions yet. 'longhand record' records one, and 'longhand import FILE' takes one from a "
          + "file.")
    }
    if found.count > limit, let oldest = sessions.last?.session.id.prefix(8) {
      console.note("There are older sessions. Use --before \(oldest) to list them, or --limit N.")
    }
    return ExitStatus.done
  }

  /// A session with its state now.
  private struct Row: Encodable {
    private enum Key: String, CodingKey { case percent }

    var session: RecordedSession
    let percent: Int?

    init(_ session: RecordedSession, _ library: Library) {
      let (session, activity) = library.now(session)
      self.session = session
      self.session.state = activity.state
      self.session.duration = library.duration(of: session)
      percent = activity.percent
    }

    /// The fields of the session, and `percent` while it is imported or transcribed.
    func encode(to encoder: any Encoder) throws {
      try session.encode(to: encoder)
      guard let percent else { return }
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(percent, forKey: .percent)
    }
  }

  /// A date as people read it, to the minute.
  static func date(_ date: Date) -> String {
    date.formatted(
      .verbatim(
        "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
        timeZone: .current, calendar: Calendar(identifier: .gregorian)))
  }

  private static func line(_ row: Row) -> String {
    let session = row.session
    let start = date(session.start)
    let percent = row.percent.map { " \($0)%" } ?? ""
    let state = (session.state.rawValue + percent).padding(toLength: 16, withPad: " ", startingAt: 0)
    let source = [session.name, session.source].compactMap(\.self).joined(separator: "  ").escapingControls
    return
      "\(session.id.prefix(8))  \(start)  \(Milliseconds(seconds: session.duration).clock)  \(state)  \(source)\n"
  }
}
