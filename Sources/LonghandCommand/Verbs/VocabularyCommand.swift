import Foundation
import Longhand

/// `longhand vocabulary`: the vocabularies of the library; checks or compiles a vocabulary file.
struct VocabularyCommand: Verb {
  private static let folder = Option(
    "-o", "--output", value: "DIR", summary: "for compile: the folder to write")
  private static let audio = Option(
    "--audio", value: "MANIFEST",
    summary: "for check: also test on the recordings that this file lists (see 'longhand help evaluate')")

  private static let speak = Option(
    "--speak",
    summary:
      "for check: also let four voices of flite say each term, and report how often it is found")

  private static let yes = Option("-y", "--yes", summary: "for remove: do not ask")

  static let description = VerbDescription(
    name: "vocabulary",
    summary: "List, show and edit the vocabularies of the library; check or compile one",
    operands:
      "list | show VOCABULARY | add VOCABULARY TERM… | remove VOCABULARY [TERM…] | check FILE | compile FILE -o DIR",
    discussion: """
      A vocabulary lists the names, terms and phrases of a subject, and how they are
      pronounced. Those of the library have names, and the page of 'longhand serve'
      edits the same ones; 'library' is the one with the words for every recording.
      'list' prints the number of terms, a tab and the name of each. 'show' prints
      the terms as a table (CSV), and with --json all of it. 'add' adds terms, to a
      new vocabulary if there is none of this name; the term - reads a list from
      standard input, with a term per line, or commas or tabs between them. 'remove'
      removes terms or, without any, the vocabulary, after a question.

      A vocabulary file is a text file with one term per line, a table (CSV) with the
      columns term, sounds like and replaces, or JSON5, for example: {name: "chess",
      terms: [{text: "Winawer"}], phrases: [{text: "the Albin counter gambit"}]}.
      Where a file can be named, the name of a vocabulary of the library can be given
      too. An existing file comes first; if the library has that name as well, a note
      says so. A name with a slash is always a file.
      'check' reports mistakes, words that sound too much like other words, and
      entries that have no effect. It also counts the entries, and says which
      recognizer uses them. With --audio, it reports the recordings that have more
      errors with the vocabulary than without it. With --speak, four voices of the
      synthesizer flite say each term in a sentence, and are transcribed with the
      vocabulary: it reports in how many voices each term is found, what was written
      in its place, what may help, and which terms are found without the vocabulary,
      too. That takes some seconds for each term, and needs the program flite. The
      exit status is 1 if the file cannot be compiled, or if a recording has more
      errors. 'compile' writes a language model into the folder DIR, for the option
      --language-model of other verbs. DIR must be new or empty, or hold an earlier
      compiled vocabulary, which is replaced.
      """,
    options: [folder, audio, speak, yes, .library, .reportJSON, .jobs, .progress, .quiet],
    examples: [
      .init(
        purpose: "Make a vocabulary, or add to it", command: "longhand vocabulary add chess Winawer Benoni"),
      .init(purpose: "Use it", command: "longhand transcribe --vocabulary chess talk.wav"),
      .init(purpose: "Check a file before using it", command: "longhand vocabulary check chess.json5"),
      .init(
        purpose: "See which of its terms are found when they are said",
        command: "longhand vocabulary check --speak chess.json5"
      ),
      .init(
        purpose: "Compile once for many recordings",
        command: "longhand vocabulary compile chess.json5 -o chess-model"),
    ])

  private enum Work {
    case check(VocabularyReference, audio: String?, speaks: Bool)
    case compile(VocabularyReference, folder: String)
    case stored(StoredVocabularyAction, LibraryLocation)
  }

  private static let actions = ["list", "show", "add", "remove", "check", "compile"]

  private let work: Work
  private let isJSON: Bool
  private let jobs: JobCount
  private let progress: ProgressMeter.Style

  init(_ arguments: ParsedArguments) throws {
    jobs = try JobCount(arguments)
    progress = try TranscriberOptions.progress(arguments)
    isJSON = arguments.has(.reportJSON)
    guard let action = arguments.operands.first else {
      throw Failure.usage("The verb vocabulary needs an action.", hint: "Example: longhand vocabulary list")
    }
    func file() throws -> VocabularyReference {
      VocabularyReference(try arguments.operands(named: [action, "FILE"])[1], arguments)
    }
    switch action {
    case "check":
      work = .check(
        try file(), audio: arguments.value(Self.audio), speaks: arguments.has(Self.speak))
    case "compile":
      let file = try file()
      guard let folder = arguments.value(Self.folder) else {
        throw Failure.usage("The option -o is missing.", hint: arguments.listing)
      }
      work = .compile(file, folder: folder)
    case "list", "show", "add", "remove":
      work = .stored(
        try StoredVocabularyAction(action, arguments, asks: !arguments.has(Self.yes)),
        try LibraryLocation(arguments))
    default:
      let nearest = NearestName.suggestion(for: action, among: Self.actions)
      throw Failure.usage(
        "The verb vocabulary has no action '\(action)'.",
        hint: nearest.map { "Did you mean '\($0)'?" } ?? arguments.listing)
    }
    if let (option, _) = arguments.given([Self.folder]).first, action != "compile" {
      throw Failure.usage("The option \(option) is only for compile.", hint: arguments.listing)
    }
    if arguments.has(Self.speak), action != "check" {
      throw Failure.usage("The option --speak is only for check.", hint: arguments.listing)
    }
  }

  func run(_ console: Console) async throws -> Int32 {
    switch work {
    case .stored(let action, let location):
      return try await action.run(in: VocabularyFolder(of: location.url), isJSON: isJSON, console)
    case .check(let vocabulary, let audio, let speaks):
      if let notice = vocabulary.notice { console.note(notice) }
      return try await check(vocabulary, audio, speaks: speaks, console)
    case .compile(let vocabulary, let folder):
      if let notice = vocabulary.notice { console.note(notice) }
      return try await compile(vocabulary, into: folder)
    }
  }

  // MARK: check

  private struct Report: Encodable {
    var findings: [VocabularyCheck.Finding]
    /// How many entries each part of the file has.
    var counts: [String: Int]
    /// What uses which part.
    var uses: [VocabularyUse]
    /// The recordings with more errors than without the vocabulary; nil without `--audio`.
    var madeWorse: [String]?
    /// What became of each term that was said; nil without `--speak`.
    var spoken: [SpokenTermOutcome]?
  }

  private func check(
    _ reference: VocabularyReference, _ audio: String?, speaks: Bool, _ console: Console
  ) async throws -> Int32 {
    let file = try reference.file()
    defer { withExtendedLifetime(file) {} }
    let vocabulary: Vocabulary
    do {
      vocabulary = try Vocabulary(contentsOf: file.url)
    } catch {
      throw Failure(vocabulary: error, file: reference.text)
    }
    var report = Report(
      findings: VocabularyCheck(vocabulary).findings,
      counts: Dictionary(uniqueKeysWithValues: vocabulary.counts.map { ($0.name, $0.count) }),
      uses: VocabularyUse.all(of: vocabulary))
    var isWrong = report.findings.contains { $0.severity == .mistake }
    // Only the compiler finds all mistakes. A file that is too large is already reported.
    if !isWrong, !VocabularyCheck.isTooLarge(vocabulary) {
      do {
        _ = try await LanguageModelFolder.cached(file.url)
      } catch let error as VocabularyError {
        isWrong = true
        report.findings.append(
          VocabularyCheck.Finding(
            severity: .mistake, location: error.location ?? reference.text, problem: error.problem,
            remedy: "'longhand vocabulary compile' stops here"))
      }
    }
    if let audio, !isWrong {
      report.madeWorse = try await madeWorse(vocabulary, reference, by: audio, console)
    }
    var trial: SpokenTrial?
    if speaks, !isWrong {
      trial = try await SpokenTrial(of: vocabulary, reference, jobs, progress, console)
    }
    if isJSON {
      report.spoken = try await trial?.reports()
      try console.output.write(JSONLine.string(report) + "\n")
    } else {
      for finding in report.findings {
        let problem = "\(finding.location): \(finding.problem)".escapingControls
        try console.output.write(
          "\(finding.severity.rawValue): \(problem); \(finding.remedy.escapingControls)\n")
      }
      for name in report.madeWorse ?? [] {
        try console.output.write("made worse: \(name.escapingControls)\n")
      }
      if report.findings.isEmpty, report.madeWorse?.isEmpty != false {
        try console.output.write("No problems.\n")
      }
      try console.output.write(Self.summary(vocabulary, report.uses))
      // It takes long, so that what is known is printed before.
      try await trial?.print()
    }
    return isWrong || report.madeWorse?.isEmpty == false ? ExitStatus.failed : ExitStatus.done
  }

  /// What was read, and what uses it.
  private static func summary(_ vocabulary: Vocabulary, _ uses: [VocabularyUse]) -> String {
    let singular = ["entities": "entity", "classes": "class"]
    let counts = vocabulary.counts.filter { $0.count > 0 }.map { name, count in
      "\(count.formatted()) \(count == 1 ? singular[name] ?? String(name.dropLast()) : name)"
    }
    let read = "Read: \(counts.isEmpty ? "no entries" : counts.joined(separator: ", ")).\n"
    let lines = uses.map { use in
      let parts = use.parts.isEmpty ? "none of it" : use.parts.joined(separator: ", ")
      return "\(use.by) uses: \(parts)\(use.parts.isEmpty ? "" : use.note.map { " (\($0))" } ?? "")\n"
    }
    return read + lines.joined()
  }

  /// The names of the recordings with more errors with the vocabulary than without it.
  private func madeWorse(
    _ vocabulary: Vocabulary, _ reference: VocabularyReference, by manifest: String, _ console: Console
  ) async throws -> [String] {
    jobs.setServiceCount()
    let rows = try EvaluationManifest.read(URL(fileURLWithPath: manifest)).rows
    let references = try rows.map { try $0.reference.scoredText() }
    func report(_ options: TranscriptionOptions) async throws -> EvaluationReport {
      let meter = ProgressMeter(names: rows.map(\.name), style: progress, errors: console.errors)
      let run = EvaluationRun(
        rows: rows, references: references,
        evaluator: Evaluator(comparison: options.expectedLocale.isEnglish ? .spoken : .exact),
        transcriber: FileTranscriber(options: options), jobs: jobs, console: console, meter: meter)
      let (report, failures) = try await run.report()
      guard failures == 0 else {
        throw Failure(
          .incomplete, "The check is incomplete: \(failures) of \(rows.count) recordings failed.",
          input: manifest,
          hint: "See the lines above.")
      }
      return report
    }
    var options = TranscriptionOptions.checking(vocabulary)
    let before = try await report(options)
    options.languageModel = try await DomainOption.vocabulary(reference, weight: nil).languageModel()
    var after = try await report(options)
    after.compare(with: before)
    return after.madeWorse ?? []
  }

  // MARK: compile

  private func compile(_ reference: VocabularyReference, into folder: String) async throws -> Int32 {
    let url = URL(fileURLWithPath: folder)
    guard LanguageModelFolder.isFree(url) else {
      throw Failure(
        .outputExists, "The folder exists and is not a language model.", input: folder,
        hint: "Choose another folder.")
    }
    let file = try reference.file()
    defer { withExtendedLifetime(file) {} }
    guard !LanguageModelFolder.isReplaced(file.url, in: url) else {
      throw Failure(
        .outputExists, "The language model would replace the vocabulary itself.", input: folder,
        hint: "Choose another folder.")
    }
    do {
      try await LanguageModelFolder.compile(file.url, into: url)
    } catch {
      throw Failure(vocabulary: error, file: reference.text)
    }
    return ExitStatus.done
  }
}
