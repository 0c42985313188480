import Foundation
import Longhand

/// `longhand stop`: stops what runs or waits, in whatever process.
struct StopCommand: Verb {
  private static let watch = Option(
    "--watch", summary: "stop importing the files of the folder that 'longhand serve' watches")

  static let description = VerbDescription(
    name: "stop",
    summary: "List what runs or waits, or stop it",
    operands: "[ID…]",
    discussion: """
      ID is the ID of a session, its first characters, its name, or 'last'. Without
      an ID, longhand lists the sessions that are imported, recorded or transcribed
      now, or wait for that, and the files that are being uploaded.
      It does not matter which program does the work: another longhand, 'longhand
      serve', or a program that uses the library. The work has ended when this
      returns. What was transcribed is kept, and 'longhand recover ID' continues it.
      A recording ends, and its rest is still transcribed; stop it again to end that
      too. A new transcription of a complete session leaves it as it was. To stop a
      session and delete it, use 'longhand delete ID --force'.
      """,
    options: [watch, .library, .reportJSON],
    examples: [
      .init(purpose: "List what runs or waits", command: "longhand stop"),
      .init(purpose: "Stop the newest session", command: "longhand stop last"),
    ])

  private let references: [SessionReference]
  private let location: LibraryLocation
  private let stopsWatching: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    location = try LibraryLocation(arguments)
    references = arguments.operands.map { [location] in SessionReference($0, in: location) }
    stopsWatching = arguments.has(Self.watch)
    isJSON = arguments.has(.reportJSON)
  }

  func run(_ console: Console) async throws -> Int32 {
    let library = try location.open()
    if references.isEmpty, !stopsWatching {
      try list(library, console)
      return ExitStatus.done
    }
    if stopsWatching, try await !library.stopWatching() { console.note("No folder was watched.") }
    for reference in references {
      if let upload = reference.upload(in: library) {
        try library.uploads.setStopped(true, upload)
        continue
      }
      let session = try reference.session(in: library)
      if try await !library.stop(session.id) {
        console.note("Nothing is done with the session \(session.id.prefix(8)) now.")
      }
    }
    return ExitStatus.done
  }

  /// What runs or waits.
  private struct Row: Encodable {
    var id: String
    var state: String
    var percent: Int?
    var source: String
  }

  private func list(_ library: Library, _ console: Console) throws {
    let sessions = try library.sessionsWorkedOn().map { session, activity in
      // Something is done again with a complete session.
      Row(
        id: session.id, state: activity.isAlive ? activity.state.rawValue : "working",
        percent: activity.percent, source: session.name ?? session.source)
    }
    let uploads = library.uploads.all.compactMap { upload -> Row? in
      let received = library.uploads.received(of: upload)
      guard received < upload.size else { return nil }
      return Row(
        id: upload.id, state: upload.isStopped == true ? "stopped" : "uploading",
        percent: Int(100 * received / upload.size), source: upload.name)
    }
    let rows = sessions + uploads
    if isJSON { return try console.output.write(JSONLine.string(rows) + "\n") }
    for row in rows {
      let state = (row.state + (row.percent.map { " \($0)%" } ?? ""))
        .padding(toLength: 16, withPad: " ", startingAt: 0)
      try console.output.write("\(row.id.prefix(8))  \(state)  \(row.source.escapingControls)\n")
    }
    if rows.isEmpty { console.note("Nothing runs or waits.") }
  }
}
