import Foundation
import Longhand

/// `longhand evaluate`: how good the transcripts of many recordings are.
struct EvaluateCommand: Verb {
  static let description = VerbDescription(
    name: "evaluate",
    summary: "Transcribes recordings whose words are known, and counts the errors",
    operands: "MANIFEST",
    discussion: """
      MANIFEST is tab-separated, a recording a line: its path, and what is said in
      it or the name of a txt, stm or ctm file. Relative paths count from its folder.
      The report has the word error rate, that of the best choice among the
      alternatives (oracle), that of the normalized text, terms, the recordings that
      reranking or normalization made worse, and the real-time factor, which is that
      of one recording beside others: --jobs 1 measures it undisturbed.
      """,
    options: [
      .terms, .baseline, .reportJSON, .locale, .engine, .vocabulary, .languageModel,
      .languageModelWeight, .alternatives, .reranking, .normalize, .jobs, .progress, .quiet,
    ],
    examples: [
      .init(purpose: "a table", command: "longhand evaluate recordings.tsv"),
      .init(
        purpose: "for a later comparison", command: "longhand evaluate --json recordings.tsv > before.json"),
      .init(
        purpose: "which recordings became worse since",
        command: "longhand evaluate --baseline before.json recordings.tsv"),
    ])

  private let manifest: String
  private let terms: String?
  private let baseline: String?
  private let isJSON: Bool
  private let options: TranscriberOptions
  private let jobs: JobCount
  private let progress: ProgressMeter.Style
  private let normalization: NormalizationOption?

  init(_ arguments: ParsedArguments) throws {
    manifest = try arguments.operands(named: ["MANIFEST"])[0]
    terms = arguments.value(.terms)
    baseline = arguments.value(.baseline)
    isJSON = arguments.has(.reportJSON)
    options = try TranscriberOptions(arguments)
    normalization = try NormalizationOption(arguments)
    jobs = try JobCount(arguments)
    progress = try TranscriberOptions.progress(arguments)
  }

  func run(_ console: Console) async throws -> Int32 {
    jobs.setServiceCount()
    // Every file but the recordings is read before the work, so that a slip in one does not cost it.
    let rows = try EvaluationManifest.read(URL(fileURLWithPath: manifest)).rows
    if rows.isEmpty {
      throw Failure(
        .malformed, "there is no recording in it", input: manifest, hint: "write a path, a tab, the words")
    }
    let before = try baseline.map(EvaluationFiles.report)
    let options = try await options.transcription()
    let run = EvaluationRun(
      rows: rows, references: try rows.map { try $0.reference.scoredText() },
      evaluator: Evaluator(terms: try EvaluationFiles.terms(terms)),
      transcriber: FileTranscriber(options: options), normalizer: try normalization?.normalizer(), jobs: jobs,
      console: console,
      meter: ProgressMeter(names: rows.map(\.name), style: progress, errors: console.errors))
    var (report, failures) = try await run.report()
    if let before { report.compare(with: before) }
    // Without a clip there are no figures; zeros would look like a perfect result.
    if !report.clips.isEmpty { try console.output.write(isJSON ? report.json() : report.table) }
    guard failures > 0 else { return ExitStatus.done }
    console.report(
      Failure(
        .incomplete, "\(failures) of \(rows.count) recordings failed, so the report is not complete",
        input: manifest,
        hint: "see the lines above"))
    return ExitStatus.failed
  }
}

/// The files beside the recordings that an evaluation reads.
enum EvaluationFiles {
  /// The terms in the file; none without a file.
  static func terms(_ path: String?) throws -> [String] {
    guard let path else { return [] }
    let terms = try TermScore.readTerms(contentsOf: URL(fileURLWithPath: path))
    if terms.isEmpty {
      throw Failure(.malformed, "there is no term in it", input: path, hint: "write one a line")
    }
    return terms
  }

  /// The report in the file.
  static func report(_ path: String) throws -> EvaluationReport {
    do {
      return try EvaluationReport.read(contentsOf: URL(fileURLWithPath: path))
    } catch is DecodingError {
      throw Failure(
        .malformed, "it is no report of an evaluation", input: path,
        hint: "write one with 'longhand evaluate --json'")
    } catch {
      throw Failure(.unreadable, "it cannot be read", input: path, hint: "check its name and its permissions")
    }
  }
}
