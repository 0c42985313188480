import Foundation
import Longhand

/// `longhand explain`: the alternatives for each segment, and the rule that chose one.
struct ExplainCommand: Verb {
  private static let undo = Option(
    "--undo", summary: "return to the recognizer's first alternative, number 0")
  private static let choose = Option("--choose", value: "N", summary: "use the alternative with the number N")
  private static let word = Option(
    "--word", value: "N",
    summary: "show the alternatives for word N, counted from 0; with --choose, use one of them")
  private static let revision = Option(
    "--revision", value: "N", summary: "return to the version with the number N")
  private static let all = Option(
    "--all", summary: "also show alternatives that differ from another one only in a word such as \"the\"")

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
      from 0 to 1. A star marks the chosen one. Alternatives that differ from an
      earlier one in one small word only are not listed without --all. --undo,
      --choose, --word and --revision need SEGMENT. --undo, --choose and --revision
      change the text of the segment and keep the earlier versions. --word with
      --choose replaces one word by that of another alternative; the new text is
      labelled as composed. 'longhand retranscribe' does not replace what you
      chose.
      """,
    options: [.library, undo, choose, word, revision, all],
    examples: [
      .init(purpose: "Show the alternatives of all segments", command: "longhand explain last"),
      .init(
        purpose: "Return to the recognizer's first alternative for segment 0",
        command: "longhand explain last 0 --undo"),
      .init(
        purpose: "Show the alternatives for the first word of segment 0",
        command: "longhand explain last 0 --word 0"),
      .init(
        purpose: "Return to the first version of segment 0", command: "longhand explain last 0 --revision 0"),
    ])

  private let reference: SessionReference
  private let segment: Int?
  private let choice: Int?
  private let version: Int?
  private let word: Int?
  private let showsAll: Bool

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
    choice = arguments.has(Self.undo) ? 0 : try arguments.integer(Self.choose, in: 0...1000)
    word = try arguments.integer(Self.word, in: 0...1_000_000)
    showsAll = arguments.has(Self.all)
    let given = arguments.given([Self.undo, Self.choose, Self.revision, Self.word]).map(\.option)
    if Set(given).count > 1, Set(given) != [Self.choose.name, Self.word.name] {
      throw Failure.usage(
        "The options \(given[0]) and \(given[1]) cannot be combined.", hint: "Remove one of them.")
    }
    if let option = given.first, segment == nil {
      let value = option == Self.undo.name ? "" : " 1"
      throw Failure.usage(
        "The argument SEGMENT is missing.", hint: "Example: longhand explain last 3 \(option)\(value)")
    }
    if word != nil, choice == 0 {
      throw Failure.usage(
        "Alternative 0 of a word is the word itself.",
        hint: "Use a number from 1, or --undo to return to the recognizer's first alternative.")
    }
    version = try arguments.integer(Self.revision, in: 0...1_000_000)
  }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    if let number = segment {
      let current = try library.store.segment(numbered: number, in: session.id)
      let (key, revision) = (current.id, current.revision)
      if let word {
        let alternatives = try Self.alternatives(toWord: word, of: current, number)
        guard let choice else {
          try console.output.write(Self.text(current.words[word], alternatives))
          return ExitStatus.done
        }
        guard alternatives.indices.contains(choice - 1) else {
          throw Failure(
            .library,
            "Word \(word) of segment \(number) has no alternative \(choice).",
            hint: "Run 'longhand explain last \(number) --word \(word)' to list them.")
        }
        try library.store.choose(alternatives[choice - 1], of: key, in: session.id, ifRevision: revision)
      } else if let choice, choice != current.selection.index {
        try library.store.choose(choice, of: key, in: session.id, ifRevision: revision)
      }
      if let version, version != revision {
        try library.store.restore(version, of: key, in: session.id, ifRevision: revision)
      }
      for revision in try library.store.revisions(of: key, in: session.id) {
        try console.output.write(text(revision.segment, number, in: session, reason: revision.reason))
      }
    } else {
      let transcript = try library.transcript(of: session)
      for (number, segment) in transcript.segments.enumerated() {
        try console.output.write(text(segment, number, in: session, reason: ""))
      }
      for words in transcript.rejected {
        let clock = Milliseconds(seconds: words.start).clock
        try console.output.write(
          "- [\(clock)] rejected (\(words.rule.rawValue)): \(words.text.escapingControls)\n")
      }
    }
    return ExitStatus.done
  }

  private static func alternatives(
    toWord word: Int, of segment: Segment, _ number: Int
  ) throws -> [WordAlternative] {
    guard segment.words.indices.contains(word) else {
      throw Failure(
        .library,
        "Segment \(number) has no word \(word), only \(segment.words.count) words.",
        hint: "The first word has the number 0.")
    }
    return segment.wordAlternatives[word]
  }

  /// A word and what else it may be.
  private static func text(_ word: Word, _ alternatives: [WordAlternative]) -> String {
    let clock = Milliseconds(seconds: word.start).clock
    var text = "[\(clock)]\n  * 0  \(word.confidence.twoDecimals)  \(word.text.escapingControls)\n"
    for (index, alternative) in alternatives.enumerated() {
      let words = alternative.text.isEmpty ? "(no word)" : alternative.text.escapingControls
      let count = alternative.replaced.count
      let range = count == 1 ? "" : " (for \(count) words, from \(alternative.replaced.lowerBound))"
      text += "    \(index + 1)  \(alternative.confidence.twoDecimals)  \(words)\(range)\n"
    }
    return text
  }

  private func text(
    _ segment: Segment, _ number: Int, in session: RecordedSession, reason: String
  ) -> String {
    let count = segment.candidates.count
    let clock = Milliseconds(seconds: segment.start).clock
    let revision = segment.revision == 0 ? "" : ", revision \(segment.revision)"
    let why = reason.isEmpty ? "" : " (\(reason.escapingControls))"
    let judged = segment.selection.judgement.map { ", language model: \($0.rawValue)" } ?? ""
    var text = "\(number) [\(clock)] \(segment.selection.index) of \(count) by \(segment.selection.rule)"
    text += "\(judged)\(revision)\(why)\n    \(segment.explanation.escapingControls)"
    if let errors = ExpectedErrors(of: [segment], model: session.model?.name, locale: session.locale) {
      text += String(
        format: " By their confidence, about %.1f of %d words are wrong.", errors.count, errors.words)
    }
    text += "\n"
    let folded = showsAll ? [] : segment.foldedCandidates
    for (index, candidate) in segment.candidates.enumerated()
    where !folded.indices.contains(index) || folded[index] == nil {
      let mark = index == segment.selection.index ? "*" : " "
      let confidence = candidate.confidence.twoDecimals
      let source = candidate.source.map { " (\($0.escapingControls))" } ?? ""
      text += "  \(mark) \(index)  \(confidence)  \(candidate.text.escapingControls)\(source)\n"
    }
    let hidden = folded.compactMap(\.self).count
    if hidden > 0 { text += "       and \(hidden) that differ in one small word only\n" }
    return text
  }
}
