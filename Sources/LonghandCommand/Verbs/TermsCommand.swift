import Foundation
import Longhand

/// `longhand terms`: the names of the vocabulary that were said, and where.
struct TermsCommand: Verb {
  static let description = VerbDescription(
    name: "terms",
    summary: "List which names of the vocabulary were said, and how often",
    operands: "[ID]",
    discussion: """
      ID is the ID of a session, its first characters, its name, or 'last'. Without
      ID, the names of all sessions are counted. Each line is a count, a tab, and a
      name; the most frequent name comes first. --json also prints where each name
      was said: the session, the segment, and the times in seconds. Only sessions
      that were transcribed with --vocabulary have names. To find where a name was
      said, run 'longhand search --term NAME'.
      """,
    options: [.library, .reportJSON],
    examples: [.init(purpose: "See what the newest session is about", command: "longhand terms last")])

  private struct Report: Encodable {
    struct Term: Encodable {
      var term: String
      var count: Int
      var places: [Place]
    }

    struct Place: Encodable {
      var session: String
      var segment: Int
      var start: TimeInterval
      var end: TimeInterval
    }

    var terms: [Term]
  }

  private let reference: SessionReference?
  private let location: LibraryLocation
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    location = try LibraryLocation(arguments)
    reference = try arguments.operands.isEmpty ? nil : SessionReference(arguments)
    isJSON = arguments.has(.reportJSON)
  }

  func run(_ console: Console) async throws -> Int32 {
    let library = try location.open()
    let session = try reference?.session(in: library)
    let found = try library.store.occurrences(in: session?.id).byTerm
    let report = Report(
      terms: found.map { term, places in
        .init(
          term: term, count: places.count,
          places: places.map { .init(session: $0.session, segment: $0.segment, start: $0.start, end: $0.end) }
        )
      })
    if isJSON {
      try console.output.write(JSONLine.string(report) + "\n")
      return ExitStatus.done
    }
    for term in report.terms { try console.output.write("\(term.count)\t\(term.term.escapingControls)\n") }
    if report.terms.isEmpty {
      console.note(
        "No names were found. Sessions that were transcribed with a vocabulary have them: 'longhand retranscribe "
          + "\(session.map { String($0.id.prefix(8)) } ?? "ID") --vocabulary FILE'.")
    }
    return ExitStatus.done
  }
}
