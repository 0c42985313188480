import Foundation
import Longhand

/// `longhand explain`: what the recognizer offered, and what was chosen by which rule.
struct ExplainCommand: Verb {
  private static let undo = Option("--undo", does: "the recognizer's first choice again, as a new revision")
  private static let choose = Option("--choose", value: "N", does: "that candidate, as a new revision")

  static let description = VerbDescription(
    name: "explain",
    summary: "Says what the recognizer offered, what was chosen, and by which rule",
    operands: "ID [SEGMENT]",
    discussion: """
      ID is a session's, the beginning of it, or 'last'; SEGMENT a number from 0.
      Candidates are numbered, with how sure the recognizer is (0 to 1) and a star
      at the one that stands. Every revision is kept. With --undo or --choose
      another one stands from now on; nothing else can be written.
      """,
    options: [.library, undo, choose],
    examples: [
      .init(purpose: "what else may have been said", command: "longhand explain last"),
      .init(purpose: "the first choice after all", command: "longhand explain last 0 --undo"),
    ])

  private let reference: SessionReference
  private let segment: Int?
  private let choice: Int?

  init(_ arguments: ParsedArguments) throws {
    var arguments = arguments
    if arguments.operands.count == 2 {
      let name = arguments.operands.removeLast()
      guard let number = Int(name), number >= 0 else {
        throw Failure.usage(
          "SEGMENT is a number from 0, not '\(name)'", hint: "'longhand explain last' lists them")
      }
      segment = number
    } else {
      segment = nil
    }
    reference = try SessionReference(arguments)
    let index = arguments.has(Self.undo) ? 0 : try arguments.integer(Self.choose, in: 0...1000)
    if arguments.has(Self.undo), arguments.has(Self.choose) {
      throw Failure.usage("--undo and --choose choose a candidate each", hint: "leave one of them out")
    }
    if index != nil, segment == nil {
      throw Failure.usage("SEGMENT is missing", hint: "such as 'longhand explain last 3 --undo'")
    }
    choice = index
  }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    if let segment {
      let current = try library.store.segment(segment, in: session.id)
      if let choice, choice != current.selection.index {
        try library.store.choose(choice, of: segment, in: session.id)
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
    text += "\(judged)\(revision)\(why)\n"
    for (index, candidate) in segment.candidates.enumerated() {
      let mark = index == segment.selection.index ? "*" : " "
      let confidence = String(format: "%.2f", candidate.confidence)
      text += "  \(mark) \(index)  \(confidence)  \(candidate.text.escapingControls)\n"
    }
    return text
  }
}
