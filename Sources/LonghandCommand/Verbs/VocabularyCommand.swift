import Foundation
import Longhand

/// `longhand vocabulary`: checks a vocabulary file, or compiles it to a language model.
struct VocabularyCommand: Verb {
  private static let folder = Option(
    "-o", "--output", value: "DIR", does: "compile: the folder to put the language model in")
  private static let audio = Option(
    "--audio", value: "MANIFEST", does: "check: recordings whose words are known, as for evaluate")

  static let description = VerbDescription(
    name: "vocabulary",
    summary: "Checks a vocabulary file, or compiles it to a language model",
    operands: "check FILE | compile FILE -o DIR",
    discussion: """
      FILE says what a domain sounds like: words and how they are pronounced, phrases,
      patterns of phrases. 'check' names mistakes, words that will be taken for each
      other or for common ones, and what no layer will use; with --audio also the
      recordings that the vocabulary makes worse. The status is 1 if it cannot be
      compiled, or makes one worse. 'compile' makes what --language-model takes; DIR
      may be there already if it is empty, or holds a language model; then that is
      replaced.
      """,
    options: [folder, audio, .reportJSON, .jobs, .progress, .quiet],
    examples: [
      .init(purpose: "before it harms", command: "longhand vocabulary check chess.json5"),
      .init(
        purpose: "once, for many recordings", command: "longhand vocabulary compile chess.json5 -o chess"),
    ])

  private enum Work {
    case check(audio: String?, isJSON: Bool)
    case compile(folder: String)
  }

  private let file: String
  private let work: Work
  private let jobs: JobCount
  private let progress: ProgressMeter.Style

  init(_ arguments: ParsedArguments) throws {
    let operands = try arguments.operands(named: ["check or compile", "FILE"])
    file = operands[1]
    jobs = try JobCount(arguments)
    progress = try TranscriberOptions.progress(arguments)
    switch operands[0] {
    case "check":
      work = .check(audio: arguments.value(Self.audio), isJSON: arguments.has(.reportJSON))
    case "compile":
      guard let folder = arguments.value(Self.folder) else {
        throw Failure.usage("-o is missing", hint: arguments.listing)
      }
      work = .compile(folder: folder)
    default: throw Failure.usage("vocabulary does not know '\(operands[0])'", hint: arguments.listing)
    }
  }

  func run(_ console: Console) async throws -> Int32 {
    switch work {
    case .check(let audio, let isJSON): return try await check(audio, isJSON: isJSON, console)
    case .compile(let folder): return try await compile(into: folder)
    }
  }

  // MARK: check

  private struct Report: Encodable {
    var findings: [VocabularyFinding]
    /// The recordings with more errors than without the vocabulary; nil if none were given.
    var madeWorse: [String]?
  }

  private func check(_ audio: String?, isJSON: Bool, _ console: Console) async throws -> Int32 {
    let vocabulary: Vocabulary
    do {
      vocabulary = try Vocabulary(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw Failure(vocabulary: error, file: file)
    }
    var report = Report(findings: VocabularyCheck(vocabulary).findings)
    var isWrong = report.findings.contains { $0.severity == .mistake }
    // Whether it can be compiled, the compiler knows; what would take it too long was named.
    if !isWrong, !VocabularyCheck.isTooLarge(vocabulary) {
      do {
        _ = try await LanguageModelFolder.cached(URL(fileURLWithPath: file))
      } catch let error as VocabularyError {
        isWrong = true
        report.findings.append(
          VocabularyFinding(
            severity: .mistake, place: error.place ?? file, problem: error.problem,
            remedy: "'longhand vocabulary compile' would end here"))
      }
    }
    if let audio, !isWrong { report.madeWorse = try await madeWorse(by: audio, console) }
    if isJSON {
      try console.output.write(JSONLine.string(report) + "\n")
    } else {
      for finding in report.findings {
        let problem = "\(finding.place): \(finding.problem)".escapingControls
        try console.output.write(
          "\(finding.severity.rawValue): \(problem); \(finding.remedy.escapingControls)\n")
      }
      for name in report.madeWorse ?? [] {
        try console.output.write("made worse: \(name.escapingControls)\n")
      }
      if report.findings.isEmpty, report.madeWorse?.isEmpty != false {
        try console.output.write("nothing found\n")
      }
    }
    return isWrong || report.madeWorse?.isEmpty == false ? ExitStatus.failed : ExitStatus.done
  }

  /// The names of the recordings that have more errors with the vocabulary than without.
  private func madeWorse(by manifest: String, _ console: Console) async throws -> [String] {
    jobs.setServiceCount()
    let rows = try EvaluationManifest.read(URL(fileURLWithPath: manifest)).rows
    let references = try rows.map { try $0.reference.scoredText() }
    func report(_ options: FileTranscriber.Options) async throws -> EvaluationReport {
      let meter = ProgressMeter(names: rows.map(\.name), style: progress, errors: console.errors)
      let run = EvaluationRun(
        rows: rows, references: references, evaluator: Evaluator(),
        transcriber: FileTranscriber(options: options), jobs: jobs, console: console, meter: meter)
      let (report, failures) = try await run.report()
      guard failures == 0 else {
        throw Failure(
          .incomplete, "\(failures) of \(rows.count) recordings failed", input: manifest,
          hint: "see the lines above")
      }
      return report
    }
    var options = FileTranscriber.Options()
    let before = try await report(options)
    options.languageModel = try await DomainOption.vocabulary(file, weight: nil).languageModel()
    var after = try await report(options)
    after.compare(with: before)
    return after.madeWorse ?? []
  }

  // MARK: compile

  private func compile(into folder: String) async throws -> Int32 {
    let place = URL(fileURLWithPath: folder)
    let content = try? FileManager.default.contentsOfDirectory(atPath: folder)
    let isOurs = (try? LanguageModelFolder(place)) != nil
    if FileManager.default.fileExists(atPath: folder), content?.isEmpty != true, !isOurs {
      throw Failure(
        .outputExists, "it is there, and no language model is in it", input: folder,
        hint: "choose another folder")
    }
    do {
      try await LanguageModelFolder.compile(URL(fileURLWithPath: file), into: place)
    } catch {
      throw Failure(vocabulary: error, file: file)
    }
    return ExitStatus.done
  }
}
