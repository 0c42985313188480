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
      name; the most frequent name comes first. If the names have IDs (--entities),
      a tab and the ID follow. --json also prints where each name was said: the
      session, the segment, the times in seconds, and how it was found, such as
      'exactMatch', or 'fuzzyMatch' by its sound. Only sessions that were
      transcribed with --vocabulary or --entities have names. To find where a name
      was said, run 'longhand search --term NAME'.
      """,
    options: [.library, .reportJSON],
    examples: [.init(purpose: "See what the newest session is about", command: "longhand terms last")])

  private struct Report: Encodable {
    struct Term: Encodable {
      var term: String
      var id: String?
      var count: Int
      var places: [Place]
    }

    struct Place: Encodable {
      var session: String
      var segment: Int
      var key: Int
      var start: TimeInterval
      var end: TimeInterval
      var by: String
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
    let numbers = try Dictionary(
      uniqueKeysWithValues: (isJSON ? Set(found.flatMap { $0.places.map(\.session) }) : []).map {
        ($0, try library.store.numbers(of: $0))
      })
    let report = Report(
      terms: found.map { term, places in
        .init(
          term: term, id: places.lazy.compactMap(\.id).first, count: places.count,
          places: places.map {
            .init(
              session: $0.session, segment: numbers[$0.session]?[$0.segment] ?? 0, key: $0.segment,
              start: $0.start, end: $0.end, by: $0.provenance.rawValue)
          })
      })
    if isJSON {
      try console.output.write(JSONLine.string(report) + "\n")
      return ExitStatus.done
    }
    for term in report.terms {
      let id = term.id.map { "\t\($0.escapingControls)" } ?? ""
      try console.output.write("\(term.count)\t\(term.term.escapingControls)\(id)\n")
    }
    if report.terms.isEmpty {
      console.note(
        "No names were found. Sessions that were transcribed with a vocabulary have them: 'longhand retranscribe "
          + "\(session.map { String($0.id.prefix(8)) } ?? "ID") --vocabulary FILE'.")
    }
    return ExitStatus.done
  }
}
