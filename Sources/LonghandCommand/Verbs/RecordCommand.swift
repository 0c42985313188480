import Foundation
import Longhand
import Synchronization

/// `longhand record`: records and transcribes live.
struct RecordCommand: Verb {
  static let description = VerbDescription(
    name: "record",
    summary: "Record and transcribe live, until you press Ctrl-C",
    operands: "",
    discussion: """
      The audio is saved in the library while you record. If recognition is slower
      than speech, it catches up later. Press Ctrl-C once to stop recording; the
      rest is then transcribed, and the remaining time is shown. Press it again to
      exit at once; 'longhand recover' finishes the transcript later. On a terminal,
      the space bar pauses the recording and continues it: the microphone is closed
      meanwhile, and the pause becomes a gap with the reason 'paused'. Each segment
      (speech between two pauses) is printed on its own line. It is printed when the
      next segment is recognized, because the punctuation between them depends on
      both; with --style words it is printed at once. --format jsonl prints every
      event as a line of JSON. '--from -' records standard input: a file in any
      format, or raw samples with --raw. WAVE files and raw samples are recorded
      while they arrive; other formats are first read to the end, or until Ctrl-C.
      With --normalize, a language model writes the second text of each segment
      during the recording; --format jsonl prints it as lines of the type
      'normalized'. With --translate, the model writes each segment in English,
      too, in a line after it that begins with 'English:' (in jsonl of the type
      'translated'); the session keeps it beside its transcript.
      """,
    options: [.from, .listSources, .duration, .raw, .library, .liveFormat] + Option.recognition
      + Option.speakers + [
        .translate, .normalizing(", for the library and in jsonl"), .entities, .style, .log, .quiet,
      ],
    examples: [
      .init(purpose: "Record the microphone", command: "longhand record"),
      .init(
        purpose: "List the devices; the computer's own output is one, to record calls",
        command: "longhand record --list-sources"),
      .init(
        purpose: "Record a call: the microphone, and what the computer plays",
        command: "longhand record --from microphone --from monitor"),
      .init(
        purpose: "Record ten minutes, as JSON for another program",
        command: "longhand record --for 600 --format jsonl > notes.jsonl"),
      .init(
        purpose: "Follow a talk in another language in English",
        command: "longhand record --from monitor --translate"),
    ])

  /// The output format.
  enum Format: String, CaseIterable { case txt, jsonl }

  private let source: RecordingSource
  private let listsSources: Bool
  private let limit: TimeInterval?
  private let format: Format
  private let location: LibraryLocation
  private let options: TranscriberOptions
  private let style: TextStyle
  private let normalization: NormalizationOption?
  private let isQuiet: Bool

  init(_ arguments: ParsedArguments) throws {
    _ = try arguments.operands(named: [])
    source = try RecordingSource(arguments)
    listsSources = arguments.has(.listSources)
    limit = try arguments.value(.duration).map { text in
      guard let seconds = Double(text), seconds > 0, seconds.isFinite else {
        throw Failure.usage(
          "The option --for takes a number of seconds, not '\(text)'.", hint: "Example: --for 600")
      }
      return seconds
    }
    let name = arguments.value(.liveFormat) ?? "txt"
    guard let format = Format(rawValue: name) else {
      throw Failure.usage(
        "The verb record writes txt or jsonl, not '\(name)'.",
        hint: "Other formats afterwards: longhand export last --format \(name)")
    }
    self.format = format
    location = try LibraryLocation(arguments)
    options = try TranscriberOptions(arguments)
    style = try TextStyle(arguments)
    normalization = try NormalizationOption(arguments)
    isQuiet = arguments.has(.quiet)
  }

  func run(_ console: Console) async throws -> Int32 {
    if listsSources {
      try console.output.write(try RecordingSource.list())
      return ExitStatus.done
    }
    try source.check()
    let capture = try source.capture { [isQuiet] in
      guard !isQuiet else { return }
      console.note("Reading standard input to its end, or until you press Ctrl-C, before it is recorded.")
    }
    let ending = RecordingEnd(of: capture)
    // The first signal ends the recording only; the rest of the audio is still transcribed.
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
    let session = try await library.record(
      from: capture, options: options, limit: limit, normalization: normalization?.coordinator())
    let (updates, continuation) = AsyncStream.makeStream(of: LiveReport.Update.self)
    Interruption.setLastLine(
      console.text(
        of: Failure(
          .incomplete, "Stopped before everything was transcribed.", input: String(session.id.prefix(8)),
          hint: "Run 'longhand recover' to transcribe the rest.")))
    let isPaused = Mutex(false)
    let keys =
      capture.isLive
      ? TerminalKeys { key in
        guard key == " " else { return }
        let isNow = isPaused.withLock { isPaused in
          isPaused.toggle()
          return isPaused
        }
        if isNow { session.pause() } else { session.resume() }
        continuation.yield(.paused(isNow))
      } : nil
    Interruption.setLastAction { keys?.close() }
    defer {
      keys?.close()
      Interruption.setLastAction(nil)
    }
    ending.begin(session) {
      keys?.close()
      continuation.yield(.interrupted)
    }
    let sentences =
      style == .sentences
      // The names that are kept with the session, so that the text is the same when it is read again.
      ? SentenceWriter(
        locale: options.locale.identifier, names: options.languageModel?.spellings?.writtenNames ?? []) : nil
    let report = LiveReport(
      session, format: format, sentences: sentences,
      normalizer: options.languageModel?.spellings.map { TranscriptNormalizer($0) },
      locale: options.locale.identifier,
      translates: options.translates, canPause: keys != nil, isQuiet: isQuiet, console: console)
    Task {
      for await event in session.events { continuation.yield(.event(event)) }
      continuation.finish()
    }
    // The estimate of the remaining time changes without events too.
    let ticking =
      report.hasStatusLine
      ? Task {
        while !Task.isCancelled {
          continuation.yield(.tick)
          try? await Task.sleep(for: .seconds(1))
        }
      } : nil
    defer { ticking?.cancel() }
    for await update in updates { report.take(update) }
    Interruption.setLastLine(nil)
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

/// Ends a recording after a signal, even one that has not started yet.
private final class RecordingEnd: Sendable {
  private struct State {
    var session: LiveSession?
    var report: (@Sendable () -> Void)?
    var isWanted = false
  }
  private let capture: any AudioCapture
  private let state = Mutex(State())

  init(of capture: any AudioCapture) { self.capture = capture }

  /// - Parameter report: called when a signal ends the recording.
  func begin(_ session: LiveSession, report: @escaping @Sendable () -> Void) {
    let isWanted = state.withLock { state in
      state.session = session
      state.report = report
      return state.isWanted
    }
    if isWanted { end() }
  }

  func end() {
    // Audio that was received is not given up.
    let isReceived = (capture as? StreamCapture)?.isReceived ?? false
    let (session, report) = state.withLock { state in
      state.isWanted = true
      return (state.session, state.report)
    }
    report?()
    if isReceived { return }
    // A disk error is reported at the end.
    if let session { try? session.stop() } else { capture.stop() }
  }
}
