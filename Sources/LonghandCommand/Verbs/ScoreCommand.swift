import Foundation
import Longhand

/// `longhand score`: how far one text is from another.
struct ScoreCommand: Verb {
  static let description = VerbDescription(
    name: "score",
    summary: "Counts the word errors of a text against a reference",
    operands: "--reference R HYPOTHESIS",
    discussion: """
      Both are files whose names end in txt, stm or ctm; HYPOTHESIS may be '-', for
      plain text on standard input. Case and punctuation do not count. Of forms with
      times every recording is a line of the report.
      """,
    options: [.reference, .terms, .reportJSON],
    examples: [
      .init(purpose: "two texts", command: "longhand score --reference reference.txt talk.txt"),
      .init(
        purpose: "a recording, without a file between",
        command: "longhand transcribe talk.wav | longhand score --reference reference.txt -"),
    ])

  private let reference: String
  private let hypothesis: AudioInput
  private let terms: String?
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    guard let reference = arguments.value(.reference) else {
      throw Failure.usage("--reference is missing", hint: arguments.listing)
    }
    self.reference = reference
    hypothesis = AudioInput(operand: try arguments.operands(named: ["HYPOTHESIS"])[0])
    terms = arguments.value(.terms)
    isJSON = arguments.has(.reportJSON)
  }

  func run(_ console: Console) async throws -> Int32 {
    let evaluator = Evaluator(terms: try EvaluationFiles.terms(terms))
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
    return try ScoredText.read(try Data(contentsOf: spool.file), form: .txt, file: hypothesis.name)
  }
}
