import Foundation
import Longhand

/// `longhand import`: copies files into the library and transcribes them.
struct ImportCommand: Verb {
  static let description = VerbDescription(
    name: "import",
    summary: "Copy audio and video files into the library, and transcribe them",
    operands: "FILE…",
    discussion: """
      Prints the ID of each new session on its own line. The audio is copied, so you
      can move or delete the file afterwards. If an import is interrupted, run
      'longhand recover' to finish it.
      """,
    options: [
      .library, .locale, .engine, .vocabulary, .languageModel, .languageModelWeight, .alternatives,
      .reranking,
      .progress, .quiet,
    ],
    examples: [
      .init(purpose: "Import a file, to read and search it later", command: "longhand import talk.wav"),
      .init(purpose: "Read the transcript", command: "longhand show last"),
    ])

  private let files: [AudioInput]
  private let location: LibraryLocation
  private let options: TranscriberOptions
  private let progress: ProgressMeter.Style

  init(_ arguments: ParsedArguments) throws {
    files = arguments.operands.map(AudioInput.init)
    if files.isEmpty { throw Failure.usage("No input file.", hint: "Example: longhand import talk.wav") }
    if files.contains(where: \.isStandardInput) {
      throw Failure.usage("The verb import cannot read standard input.", hint: "Name a file.")
    }
    location = try LibraryLocation(arguments)
    options = try TranscriberOptions(arguments)
    progress = try TranscriberOptions.progress(arguments)
  }

  func run(_ console: Console) async throws -> Int32 {
    let transcriber = FileTranscriber(options: try await options.transcription())
    let library = try location.open()
    let meter = ProgressMeter(names: files.map(\.name), style: progress, errors: console.errors)
    defer { meter.clear() }
    var status = ExitStatus.done
    for (index, file) in files.enumerated() {
      do {
        guard try !file.check() else {
          throw Failure(
            .unreadable, "This is a pipe or a device, not a file.",
            hint: "Use 'longhand transcribe' for streams.")
        }
        meter.begin(index)
        let session = try await library.importFile(URL(fileURLWithPath: file.operand), by: transcriber) {
          meter.update(index, processed: $0.processed, duration: $0.duration)
        }
        meter.finish(index)
        try console.output.write("\(session.id)\n")
        console.report(library.warnings(of: session.id), input: file.name)
        let failed = Coverage(try library.store.coverageSpans(of: session.id)).failed
        guard failed > 0 else { continue }
        status = ExitStatus.failed
        console.report(.incomplete(failed, of: session.duration, input: file.name))
      } catch {
        meter.finish(index)
        try Task.checkCancellation()
        let failure = Failure(error, input: file.name)
        if failure.endsTheRun { throw failure }
        console.report(failure)
        status = ExitStatus.failed
      }
    }
    return status
  }
}
