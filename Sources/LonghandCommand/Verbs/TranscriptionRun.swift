import Foundation
import Longhand

/// The work of `transcribe`: every input that can be read, some at once, their results in order.
struct TranscriptionRun: Sendable {
  /// What became of one input.
  private struct Outcome: Sendable {
    /// What goes to standard output.
    var document = ""
    var failed = false
  }

  let verb: TranscribeCommand
  private let options: TranscriptionOptions
  let console: Console
  private let meter: ProgressMeter
  private let normalizer: TranscriptNormalizer?

  init(verb: TranscribeCommand, options: TranscriptionOptions, console: Console) throws {
    self.verb = verb
    normalizer = try verb.normalization?.normalizer()
    self.options = options
    self.console = console
    self.meter = ProgressMeter(names: verb.inputs.map(\.name), style: verb.progress, errors: console.errors)
  }

  /// Does all of it.
  ///
  /// - Returns: the exit status.
  func run() async throws -> Int32 {
    defer { meter.clear() }
    // What would fail for certain is said now, not after hours.
    let streams = try check()
    var hasFailed = streams.count < verb.inputs.count
    try await BoundedWork.run(streams.keys.sorted(), atOnce: verb.jobs.count) { index in
      try await transcribe(index, isStream: streams[index] ?? false)
    } receive: { outcome in
      if outcome.failed { hasFailed = true }
      try console.output.write(outcome.document)
    }
    return hasFailed ? ExitStatus.failed : ExitStatus.done
  }

  /// Reports every input that cannot be done.
  ///
  /// - Returns: the others by their index, and whether each is a stream.
  private func check() throws -> [Int: Bool] {
    var streams: [Int: Bool] = [:]
    for (index, input) in verb.inputs.enumerated() {
      attempt(index) { streams[index] = try input.check() }
    }
    if !streams.isEmpty { try verb.plan.makeFolder() }
    for index in streams.keys.sorted() {
      let isFree = attempt(index) {
        for output in verb.plan.files(for: verb.inputs[index]) { try file(output.path).check() }
      }
      if !isFree { streams[index] = nil }
    }
    return streams
  }

  /// Reports what `body` throws, as the end of that input.
  @discardableResult private func attempt(_ index: Int, _ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      console.report(Failure(error, input: verb.inputs[index].name))
      meter.finish(index)
      return false
    }
  }

  /// Does one input. Only what concerns every input is thrown.
  private func transcribe(_ index: Int, isStream: Bool) async throws -> Outcome {
    defer { meter.finish(index) }
    let input = verb.inputs[index]
    var outcome = Outcome()
    do {
      var transcript = try await recognize(input, index, isStream: isStream)
      transcript.source = input.source
      transcript.normalized = await normalizer?.normalize(transcript.text)
      // Cancelled work may look like a finished one; nothing of it may become a file.
      try Task.checkCancellation()
      let files = verb.plan.files(for: input)
      if files.isEmpty {
        outcome.document =
          verb.live?.rest(of: transcript) ?? verb.document(transcript, as: verb.plan.formats[0])
      }
      for output in files { try file(output.path).write(verb.document(transcript, as: output.format)) }
      console.report(transcript.warnings, input: input.name)
      if transcript.coverage.failed > 0 {
        outcome.failed = true
        console.report(.incomplete(transcript.coverage.failed, of: transcript.duration, input: input.name))
      }
    } catch let closed as ClosedOutput {
      throw closed
    } catch {
      try Task.checkCancellation()
      let failure = Failure(error, input: input.name)
      if failure.endsTheRun { throw Failure(error) }
      console.report(failure)
      outcome.failed = true
    }
    return outcome
  }

  private func recognize(_ input: AudioInput, _ index: Int, isStream: Bool) async throws -> Transcript {
    let transcriber = FileTranscriber(options: options)
    meter.begin(index)
    let report: @Sendable (FileTranscriber.Progress) -> Void = { [meter] progress in
      meter.update(index, processed: progress.processed, duration: progress.duration)
    }
    let tell: (Segment) throws -> Void = { segment in
      guard let live = verb.live else { return }
      try console.errors.around { try console.output.write(live.line(for: segment)) }
    }
    guard isStream else {
      return try await transcriber.transcribe(
        URL(fileURLWithPath: input.operand), progress: report, segment: tell)
    }
    let spool = try await Spool.copy(input, raw: input.isStandardInput ? verb.raw : nil)
    defer { spool.remove() }
    // Copying took its own time, which says nothing of the recognizer's.
    meter.begin(index)
    return try await transcriber.transcribe(spool.file, progress: report, segment: tell)
  }

  private func file(_ path: String) -> WholeFile { WholeFile(path: path, replaces: verb.plan.replaces) }
}

extension Failure {
  /// A part of the input has no text because the recognizer failed on it; the rest was written.
  static func incomplete(_ seconds: TimeInterval, of duration: TimeInterval, input: String) -> Failure {
    let failed = String(format: "%.1f", seconds)
    let all = String(format: "%.1f", duration)
    return Failure(
      .incomplete, "The recognizer failed on \(failed) of \(all) seconds. The rest was written.",
      input: input,
      hint: "Transcribe it again, or run 'longhand doctor'.")
  }
}
