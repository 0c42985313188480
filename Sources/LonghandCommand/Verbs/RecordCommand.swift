import Foundation
import Longhand
import Synchronization

/// `longhand record`: records and writes down what is said as it is said.
struct RecordCommand: Verb {
  static let description = VerbDescription(
    name: "record",
    summary: "Records and writes down what is said, as it is said, until Ctrl-C",
    operands: "",
    discussion: """
      The sound goes into the library, where nothing of it is lost: what the
      recognizer cannot keep up with is heard later. Ctrl-C ends the recording, and
      what was recorded is written down to its end; a second Ctrl-C ends the program,
      and 'longhand recover' goes on. A line a segment on standard output; with jsonl
      everything that happens. '--from -' is standard input: a WAVE file, or raw
      samples with --raw, at the pace at which they come.
      """,
    options: [
      .from, .listSources, .duration, .raw, .library, .liveFormat, .locale, .engine, .vocabulary,
      .languageModel, .languageModelWeight, .alternatives, .reranking, .quiet,
    ],
    examples: [
      .init(purpose: "the microphone", command: "longhand record"),
      .init(
        purpose: "what can be recorded, the other side of a call too",
        command: "longhand record --list-sources"),
      .init(
        purpose: "ten minutes, for another program",
        command: "longhand record --for 600 --format jsonl > notes.jsonl"),
    ])

  /// How what is said is written.
  enum Format: String, CaseIterable { case txt, jsonl }

  private let source: RecordingSource
  private let listsSources: Bool
  private let limit: TimeInterval?
  private let format: Format
  private let location: LibraryLocation
  private let options: TranscriberOptions
  private let isQuiet: Bool

  init(_ arguments: ParsedArguments) throws {
    _ = try arguments.operands(named: [])
    source = try RecordingSource(arguments)
    listsSources = arguments.has(.listSources)
    limit = try arguments.value(.duration).map { text in
      guard let seconds = Double(text), seconds > 0, seconds.isFinite else {
        throw Failure.usage("--for takes seconds, not '\(text)'", hint: "such as --for 600")
      }
      return seconds
    }
    let name = arguments.value(.liveFormat) ?? "txt"
    guard let format = Format(rawValue: name) else {
      throw Failure.usage(
        "record writes txt or jsonl, not '\(name)'",
        hint: "'longhand export last --format \(name)' writes it afterwards")
    }
    self.format = format
    location = try LibraryLocation(arguments)
    options = try TranscriberOptions(arguments)
    isQuiet = arguments.has(.quiet)
  }

  func run(_ console: Console) async throws -> Int32 {
    if listsSources {
      try console.output.write(try RecordingSource.list())
      return ExitStatus.done
    }
    try source.check()
    let capture = try source.capture()
    let ending = RecordingEnd(of: capture)
    // The first signal ends the recording and nothing else: all that was recorded is still to be heard.
    let work = Task { try await record(capture, until: ending, console) }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      ending.end()
    }
  }

  private func record(_ capture: any AudioCapture, until ending: RecordingEnd, _ console: Console)
    async throws -> Int32
  {
    let options = try await options.transcription()
    let library = try location.open()
    let session = try await library.record(from: capture, options: options, limit: limit)
    ending.begin(session)
    let report = LiveReport(session, format: format, isQuiet: isQuiet, console: console)
    for await event in session.events { report.take(event) }
    let recorded: RecordedSession
    let coverage: Coverage
    do {
      recorded = try await session.finished()
      coverage = Coverage(try library.store.coverageSpans(of: recorded.id))
    } catch {
      report.fail(error)
      return ExitStatus.failed
    }
    return try report.finish(recorded, coverage)
  }
}

/// Ends a recording when a signal asks for it, also one that has not begun yet.
private final class RecordingEnd: Sendable {
  private struct State {
    var session: LiveSession?
    var isWanted = false
  }
  private let capture: any AudioCapture
  private let state = Mutex(State())

  init(of capture: any AudioCapture) { self.capture = capture }

  func begin(_ session: LiveSession) {
    let isWanted = state.withLock { state in
      state.session = session
      return state.isWanted
    }
    // What the disk does not take is told at the end.
    if isWanted { try? session.stop() }
  }

  func end() {
    let session = state.withLock { state in
      state.isWanted = true
      return state.session
    }
    if let session { try? session.stop() } else { capture.stop() }
  }
}
