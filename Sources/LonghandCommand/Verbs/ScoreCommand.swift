import Foundation
import Longhand

/// `longhand score`: counts the word errors of a text.
struct ScoreCommand: Verb {
  private static let locale = Option.locale.described(
    "language of the texts, such as de-DE (default: en-US)")

  static let description = VerbDescription(
    name: "score",
    summary: "Count the word errors of a transcript against the correct text",
    operands: "--reference R HYPOTHESIS",
    discussion: """
      R is a file with the correct text, HYPOTHESIS a file with the transcript. Their
      names end in .txt, or in .stm or .ctm (formats of NIST's scoring tools).
      HYPOTHESIS can be '-' for plain text on standard input. Upper and lower case and
      punctuation do not matter, and different spellings of the same English words are
      equal: "Mr. Gray's 5 colours" is "mister gray's five colors". With --locale and
      another language, words count as they are written; in writing without spaces
      between words, each character is a word. The report has one line for each
      recording in the files; a txt file is one recording.
      """,
    options: [.reference, locale, .exact, .terms, .reportJSON],
    examples: [
      .init(purpose: "Compare two text files", command: "longhand score --reference reference.txt talk.txt"),
      .init(
        purpose: "Transcribe a recording and score the result",
        command: "longhand transcribe talk.wav | longhand score --reference reference.txt -"),
    ])

  private let reference: String
  private let hypothesis: AudioInput
  private let terms: String?
  private let isExact: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    guard let reference = arguments.value(.reference) else {
      throw Failure.usage("The option --reference is missing.", hint: arguments.listing)
    }
    self.reference = reference
    hypothesis = AudioInput(operand: try arguments.operands(named: ["HYPOTHESIS"])[0])
    terms = arguments.value(.terms)
    let locale = Locale(identifier: arguments.value(.locale) ?? "en-US")
    isExact = arguments.has(.exact) || !locale.isEnglish
    isJSON = arguments.has(.reportJSON)
  }

  func run(_ console: Console) async throws -> Int32 {
    let evaluator = Evaluator(
      terms: try EvaluationFiles.terms(terms), comparison: isExact ? .exact : .spoken)
    let reference = try ScoredText.read(contentsOf: URL(fileURLWithPath: reference))
    let report = evaluator.report(
      reference: reference, hypothesis: try await readHypothesis(), name: PathName.last(of: hypothesis.source)
    )
    try console.output.write(isJSON ? report.json() : report.table)
    return ExitStatus.done
  }

  private func readHypothesis() async throws -> ScoredText {
    guard hypothesis.isStandardInput else {
      return try ScoredText.read(contentsOf: URL(fileURLWithPath: hypothesis.operand))
    }
    let spool = try await Spool.copy(hypothesis, raw: nil)
    defer { spool.remove() }
    return try ScoredText.read(try Data(contentsOf: spool.file), format: .txt, file: hypothesis.name)
  }
}
