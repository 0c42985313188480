import Foundation
import Longhand

/// `longhand import`: copies files into the library and transcribes them.
struct ImportCommand: Verb {
  static let description = VerbDescription(
    name: "import",
    summary: "Copy audio and video files into the library, and transcribe them",
    operands: "FILE…",
    discussion: """
      Prints the ID of each new session on its own line. If FILE is a folder, its
      audio and video files are imported. The audio is copied, so you can move or
      delete the file afterwards. If an import is interrupted, run 'longhand
      recover' to finish it. After Ctrl-C, a line names the sessions that it
      finishes, and the file to go on with. --jobs also sets the number of
      recognizer processes. --transcripts imports what 'longhand worker' wrote on
      other computers; the same job and audio are imported only once. With
      --vocabulary, these transcripts get a corrected second text too. If a file has
      several audio tracks, each track is imported as a channel.
      """,
    options: [.library] + Option.recognition + Option.speakers + [
      .tracks, .translate, .normalizing(", for the library"), .entities, .log, .recursive, .filesFrom,
      .transcripts, .audioRoot,
      .jobs,
      .progress, .quiet,
    ],
    examples: [
      .init(purpose: "Import a file, to read and search it later", command: "longhand import talk.wav"),
      .init(purpose: "Read the transcript", command: "longhand show last"),
      .init(
        purpose: "Import the transcripts of an archive with their audio",
        command: "longhand import --transcripts transcripts.jsonl --audio-root /archive"),
    ])

  /// What became of one file.
  private enum Outcome: Sendable {
    /// What is printed, and whether all of the audio was recognized.
    case done(String, isWhole: Bool)
    /// A signal came before it was imported.
    case interrupted(AudioInput)
  }

  private let files: [AudioInput]
  private let transcripts: TranscriptImport?
  private let location: LibraryLocation
  private let options: TranscriberOptions
  private let normalization: NormalizationOption?
  private let jobs: JobCount
  private let progress: ProgressMeter.Style

  init(_ arguments: ParsedArguments) throws {
    transcripts = try TranscriptImport(arguments)
    files = transcripts == nil ? try InputList(arguments).inputs : []
    if files.contains(where: \.isStandardInput) {
      throw Failure.usage("The verb import cannot read standard input.", hint: "Name a file.")
    }
    location = try LibraryLocation(arguments)
    options = try TranscriberOptions(arguments)
    normalization = try NormalizationOption(arguments)
    jobs = try JobCount(arguments)
    progress = try TranscriberOptions.progress(arguments)
  }

  func run(_ console: Console) async throws -> Int32 {
    AudioFileSource.prepare()
    jobs.setServiceCount()
    if let transcripts {
      // Nothing is recognized, so that no model is needed.
      let spellings = try await options.languageModel()?.spellings
      return try await transcripts.run(into: try location.open(), spellings: spellings, console)
    }
    var options = try await options.transcription()
    if options.translates { try options.resolved().checkTranslation() }
    options.normalizer = try await normalization?.coordinator().normalizer
    let transcriber = FileTranscriber(options: options)
    let library = try location.open()
    let meter = ProgressMeter(inputs: files, style: progress, errors: console.errors)
    defer { meter.clear() }
    var status = ExitStatus.done
    let start = Date(timeIntervalSinceNow: -1)
    var complete = 0
    var interrupted: [AudioInput] = []
    Interruption.setLastLine(console.text(of: .stoppedImport))
    try await BoundedWork.run(Array(files.indices), atOnce: jobs.count) { index in
      defer { meter.finish(index) }
      do {
        try Task.checkCancellation()
        let (document, isWhole) = try await take(files[index], into: library, by: transcriber, console) {
          if let progress = $0 {
            meter.update(index, processed: progress.processed, duration: progress.duration)
          } else {
            meter.begin(index)
          }
        }
        return Outcome.done(document, isWhole: isWhole)
      } catch {
        // The IDs of files that are complete are still printed.
        if console.isInterrupted() { return .interrupted(files[index]) }
        try Task.checkCancellation()
        let failure = Failure(error, input: files[index].name)
        if failure.endsTheRun { throw failure }
        console.report(failure)
        return .done("", isWhole: false)
      }
    } receive: { outcome in
      switch outcome {
      case .done(let document, let isWhole):
        if !document.isEmpty { complete += 1 }
        if !isWhole { status = ExitStatus.failed }
        try console.errors.around { try console.output.flush(document) }
      case .interrupted(let file): interrupted.append(file)
      }
    }
    Interruption.setLastLine(nil)
    if !interrupted.isEmpty {
      let begun = ((try? library.interruptedSessions()) ?? []).filter { $0.start >= start }
      console.report(.interruptedImport(of: files.count, complete: complete, interrupted, begun: begun))
    }
    try Task.checkCancellation()
    return status
  }

  /// Imports one file.
  ///
  /// - Parameter progress: called with nil when the work begins.
  /// - Returns: the line with the session's ID, and whether all of the audio was recognized.
  private func take(
    _ file: AudioInput, into library: Library, by transcriber: FileTranscriber, _ console: Console,
    progress: @escaping @Sendable (FileTranscriber.Progress?) -> Void
  ) async throws -> (document: String, isWhole: Bool) {
    guard try !file.check() else {
      throw Failure(
        .unreadable, "This is a pipe, not a file.", hint: "Use 'longhand transcribe' for streams.")
    }
    progress(nil)
    let named = NamedFile(file.operand)
    defer { withExtendedLifetime(named) {} }
    let steps = transcriber.options.translates ? 2 : 1
    let session = try await library.importFile(named.url, name: file.source, by: transcriber) {
      progress($0.inStep(0, of: steps))
    }
    if transcriber.options.translates {
      // The session is complete: a failure here costs only the second text.
      do {
        try await library.translate(session.id, by: transcriber.options) { progress($0.inStep(1, of: steps)) }
      } catch let error as TranscriptionError {
        console.report(
          Failure(
            .recognizerFailed, "The text could not be translated: \(error.explanation).", input: file.name,
            hint: "Try again with 'longhand translate \(session.id.prefix(8))'."))
      }
    }
    console.report(library.warnings(of: session.id), input: file.name)
    let coverage = Coverage(try library.store.coverageSpans(of: session.id))
    console.report(
      wordless: coverage.wordless, input: file.name,
      hint: "See where with 'longhand coverage \(session.id.prefix(8))'.")
    let failed = coverage.failed
    if failed > 0 { console.report(.incomplete(failed, of: session.duration, input: file.name)) }
    return ("\(session.id)\n", failed == 0)
  }
}

extension Failure {
  /// What a second signal says, which ends the import at once.
  fileprivate static var stoppedImport: Failure {
    Failure(
      .incomplete, "Stopped before everything was imported.",
      hint: "Run 'longhand recover' to finish what was begun.")
  }

  /// An import that a signal has ended.
  ///
  /// - Parameters:
  ///   - count: the number of all files.
  ///   - complete: the number of files that were imported.
  ///   - interrupted: the files that were not, in order.
  ///   - begun: the sessions that are not complete.
  fileprivate static func interruptedImport(
    of count: Int, complete: Int, _ interrupted: [AudioInput], begun: [RecordedSession]
  ) -> Failure {
    var sessions = begun
    let others = interrupted.filter { file in
      guard let index = sessions.firstIndex(where: { $0.source == file.source }) else { return true }
      sessions.remove(at: index)
      return false
    }
    let open = begun.filter { session in !sessions.contains { $0.id == session.id } }
    var next: [String] = []
    if !open.isEmpty {
      let names = open.map { "\($0.id.prefix(8)) (\($0.source))" }.joined(separator: ", ")
      next.append("Run 'longhand recover' to finish \(names).")
    }
    if let first = others.first {
      let rest = others.count > 1 ? " and \(others.count - 1) more" : ""
      next.append("Not begun, so import again: \(first.name)\(rest).")
    }
    return Failure(
      .incomplete, "Interrupted after \(complete) of \(count) \(count == 1 ? "file" : "files").",
      hint: next.joined(separator: " "))
  }
}
