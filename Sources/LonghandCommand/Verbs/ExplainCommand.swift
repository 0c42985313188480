import Foundation
import Longhand

/// `longhand explain`: the alternatives for each segment, and the rule that chose one.
struct ExplainCommand: Verb {
  private static let undo = Option(
    "--undo", summary: "return to the recognizer's first alternative, number 0")
  private static let choose = Option("--choose", value: "N", summary: "use the alternative with the number N")
  private static let revision = Option(
    "--revision", value: "N", summary: "return to the version with the number N")

  static let description = VerbDescription(
    name: "explain",
    summary: "Show the alternative texts of each segment, and why one was chosen",
    operands: "ID [SEGMENT]",
    discussion: """
      ID is the ID of a session, its first characters, its name, or 'last'.
      SEGMENT is the number of a segment (speech between two pauses), from 0. With
      SEGMENT, only this segment is shown, with its earlier versions; otherwise all
      segments. For each segment, a sentence says which alternative was chosen and
      why. Each alternative has a number, from 0, and the recognizer's confidence,
      from 0 to 1. A star marks the chosen one. --undo, --choose and --revision need
      SEGMENT. They change the text of the segment and keep the earlier versions.
      'longhand retranscribe' does not replace what you chose.
      """,
    options: [.library, undo, choose, revision],
    examples: [
      .init(purpose: "Show the alternatives of all segments", command: "longhand explain last"),
      .init(
        purpose: "Return to the recognizer's first alternative for segment 0",
        command: "longhand explain last 0 --undo"),
      .init(
        purpose: "Return to the first version of segment 0", command: "longhand explain last 0 --revision 0"),
    ])

  private let reference: SessionReference
  private let segment: Int?
  private let choice: Int?
  private let version: Int?

  init(_ arguments: ParsedArguments) throws {
    var arguments = arguments
    if arguments.operands.count == 2 {
      let name = arguments.operands.removeLast()
      guard let number = Int(name), number >= 0 else {
        throw Failure.usage(
          "SEGMENT must be a number from 0, not '\(name)'.",
          hint: "Run 'longhand explain last' to list the segments.")
      }
      segment = number
    } else {
      segment = nil
    }
    reference = try SessionReference(arguments)
    let index = arguments.has(Self.undo) ? 0 : try arguments.integer(Self.choose, in: 0...1000)
    let given = arguments.given([Self.undo, Self.choose, Self.revision]).map(\.option)
    if Set(given).count > 1 {
      throw Failure.usage(
        "The options \(given[0]) and \(given[1]) cannot be combined.", hint: "Remove one of them.")
    }
    if let option = given.first, segment == nil {
      let value = option == Self.undo.name ? "" : " 1"
      throw Failure.usage(
        "The argument SEGMENT is missing.", hint: "Example: longhand explain last 3 \(option)\(value)")
    }
    choice = index
    version = try arguments.integer(Self.revision, in: 0...1_000_000)
  }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    if let segment {
      let current = try library.store.segment(segment, in: session.id)
      if let choice, choice != current.selection.index {
        try library.store.choose(choice, of: segment, in: session.id)
      }
      if let version, version != current.revision {
        try library.store.restore(version, of: segment, in: session.id)
      }
      for revision in try library.store.revisions(of: segment, in: session.id) {
        try console.output.write(Self.text(revision.segment, reason: revision.reason))
      }
    } else {
      for segment in try library.store.transcript(of: session.id).segments {
        try console.output.write(Self.text(segment, reason: ""))
      }
    }
    return ExitStatus.done
  }

  private static func text(_ segment: Segment, reason: String) -> String {
    let count = segment.candidates.count
    let clock = Milliseconds(seconds: segment.start).clock
    let revision = segment.revision == 0 ? "" : ", revision \(segment.revision)"
    let why = reason.isEmpty ? "" : " (\(reason.escapingControls))"
    let judged = segment.selection.judgement.map { ", language model: \($0.rawValue)" } ?? ""
    var text = "\(segment.id) [\(clock)] \(segment.selection.index) of \(count) by \(segment.selection.rule)"
    text += "\(judged)\(revision)\(why)\n    \(segment.explanation.escapingControls)\n"
    for (index, candidate) in segment.candidates.enumerated() {
      let mark = index == segment.selection.index ? "*" : " "
      let confidence = candidate.confidence.twoDecimals
      let source = candidate.source.map { " (\($0.escapingControls))" } ?? ""
      text += "  \(mark) \(index)  \(confidence)  \(candidate.text.escapingControls)\(source)\n"
    }
    return text
  }
}
