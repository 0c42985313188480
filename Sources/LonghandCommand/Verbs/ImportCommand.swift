import Foundation
import Longhand

/// `longhand import`: sound files into the library.
struct ImportCommand: Verb {
  static let description = VerbDescription(
    name: "import",
    summary: "Puts sound files and videos into the library, and transcribes them",
    operands: "FILE…",
    discussion: """
      Prints the new session's ID, a line a file. The sound is copied, so that the
      library needs the file no more. What is cut short is taken up by 'recover'.
      """,
    options: [
      .library, .locale, .engine, .vocabulary, .languageModel, .languageModelWeight, .alternatives,
      .reranking,
      .progress, .quiet,
    ],
    examples: [
      .init(purpose: "to read and search it later", command: "longhand import talk.wav"),
      .init(purpose: "what was said in it", command: "longhand show last"),
    ])

  private let files: [AudioInput]
  private let location: LibraryLocation
  private let options: TranscriberOptions
  private let progress: ProgressMeter.Style

  init(_ arguments: ParsedArguments) throws {
    files = arguments.operands.map(AudioInput.init)
    if files.isEmpty { throw Failure.usage("no file was given", hint: "such as 'longhand import talk.wav'") }
    if files.contains(where: \.isStandardInput) {
      throw Failure.usage("import takes files, not standard input", hint: "name a file")
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
          throw Failure(.unreadable, "it is no file", hint: "'longhand transcribe' reads streams")
        }
        meter.begin(index)
        let session = try await library.importFile(URL(fileURLWithPath: file.operand), by: transcriber) {
          meter.update(index, processed: $0.processed, duration: $0.duration)
        }
        meter.finish(index)
        try console.output.write("\(session.id)\n")
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
