import Foundation
import Longhand

/// `longhand evaluate`: measures accuracy and speed over many recordings.
struct EvaluateCommand: Verb {
  static let description = VerbDescription(
    name: "evaluate",
    summary: "Transcribe recordings whose text is known, and count the errors",
    operands: "MANIFEST",
    discussion: """
      MANIFEST is a text file with one recording per line: its path, a tab, and the
      correct text or the name of a txt, stm or ctm file. Paths are relative to the
      manifest's folder. stm and ctm are the formats of NIST's scoring tools.

      The report shows:
        - the word error rate (WER): the number of wrong, missing and added words,
          divided by the number of words in the correct text
        - the oracle WER: the WER if the best alternative were always chosen
        - the WER of the second text that --normalize makes
        - how many of the terms in --terms FILE were recognized
        - the recordings that have more errors with --reranking or --normalize
        - the real-time factor: the processing time divided by the length of the
          recording; use --jobs 1 to measure it

      Different spellings of the same English word count as equal; see 'longhand help
      score'.
      """,
    options: [.exact, .terms, .baseline, .reportJSON] + Option.recognition + [
      .normalizing(", and measure it"), .jobs, .progress, .quiet,
    ],
    examples: [
      .init(purpose: "Print a table", command: "longhand evaluate recordings.tsv"),
      .init(
        purpose: "Save a report for a later comparison",
        command: "longhand evaluate --json recordings.tsv > before.json"),
      .init(
        purpose: "Find the recordings that have more errors than before",
        command: "longhand evaluate --baseline before.json recordings.tsv"),
    ])

  private let manifest: String
  private let terms: String?
  private let baseline: String?
  private let isExact: Bool
  private let isJSON: Bool
  private let options: TranscriberOptions
  private let jobs: JobCount
  private let progress: ProgressMeter.Style
  private let normalization: NormalizationOption?

  init(_ arguments: ParsedArguments) throws {
    manifest = try arguments.operands(named: ["MANIFEST"])[0]
    terms = arguments.value(.terms)
    baseline = arguments.value(.baseline)
    isExact = arguments.has(.exact)
    isJSON = arguments.has(.reportJSON)
    options = try TranscriberOptions(arguments)
    normalization = try NormalizationOption(arguments)
    jobs = try JobCount(arguments)
    progress = try TranscriberOptions.progress(arguments)
  }

  func run(_ console: Console) async throws -> Int32 {
    jobs.setServiceCount()
    // Read all other files before the work, so that a mistake in one of them is reported at once.
    let rows = try EvaluationManifest.read(URL(fileURLWithPath: manifest)).rows
    if rows.isEmpty {
      throw Failure(
        .malformed, "The manifest lists no recording.", input: manifest,
        hint: "Write one recording per line: its path, a tab, its text.")
    }
    let before = try baseline.map(EvaluationFiles.report)
    let options = try await options.transcription()
    let run = EvaluationRun(
      rows: rows, references: try rows.map { try $0.reference.scoredText() },
      evaluator: Evaluator(
        terms: try EvaluationFiles.terms(terms),
        comparison: isExact || !options.expectedLocale.isEnglish ? .exact : .spoken),
      transcriber: FileTranscriber(options: options), normalizer: try normalization?.normalizer(), jobs: jobs,
      console: console,
      meter: ProgressMeter(names: rows.map(\.name), style: progress, errors: console.errors))
    var (report, failures) = try await run.report()
    if let before { report.compare(with: before) }
    // Without any transcript there are no figures; zeros would look like a perfect result.
    if !report.clips.isEmpty { try console.output.write(isJSON ? report.json() : report.table) }
    guard failures > 0 else { return ExitStatus.done }
    console.report(
      Failure(
        .incomplete, "The report is incomplete: \(failures) of \(rows.count) recordings failed.",
        input: manifest,
        hint: "See the lines above."))
    return ExitStatus.failed
  }
}

/// Reads the files of an evaluation other than the recordings.
enum EvaluationFiles {
  /// The terms in the file; empty without a file.
  static func terms(_ path: String?) throws -> [String] {
    guard let path else { return [] }
    let terms = try TermScore.readTerms(contentsOf: URL(fileURLWithPath: path))
    if terms.isEmpty {
      throw Failure(.malformed, "The file lists no term.", input: path, hint: "Write one term per line.")
    }
    return terms
  }

  /// The report in a file that `evaluate --json` wrote.
  static func report(_ path: String) throws -> EvaluationReport {
    do {
      return try EvaluationReport.read(contentsOf: URL(fileURLWithPath: path))
    } catch is DecodingError {
      throw Failure(
        .malformed, "The file is not an evaluation report.", input: path,
        hint: "Create one with 'longhand evaluate --json'.")
    } catch {
      throw Failure(
        .unreadable, "Cannot read the file.", input: path, hint: "Check its name and permissions.")
    }
  }
}
