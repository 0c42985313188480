import FileSupport
import Foundation
import Longhand

/// The work of `transcribe`: every input that can be read, some at once, their results in order.
struct TranscriptionRun: Sendable {
  /// What became of one input.
  private struct Outcome: Sendable {
    /// What goes to standard output.
    var document = Data()
    var failed = false
    /// Whether a signal came before the input's turn.
    var isSkipped = false
  }

  let verb: TranscribeCommand
  private let options: TranscriptionOptions
  let console: Console
  private let meter: ProgressMeter
  private let normalizer: TranscriptNormalizer?
  private let record: ResumeRecord?

  init(verb: TranscribeCommand, options: TranscriptionOptions, console: Console) throws {
    self.verb = verb
    normalizer = try verb.normalization?.normalizer()
    self.options = options
    self.console = console
    if let resume = verb.resume {
      try verb.plan.makeFolder()
      record = try ResumeRecord(in: resume.folder)
    } else {
      record = nil
    }
    self.meter = ProgressMeter(inputs: verb.inputs, style: verb.progress, errors: console.errors)
  }

  /// Does all of it.
  ///
  /// - Returns: the exit status.
  func run() async throws -> Int32 {
    defer { meter.clear() }
    AudioFileSource.prepare()
    // What would fail for certain is said now, not after hours.
    let streams = try check()
    var hasFailed = streams.count < verb.inputs.count
    var skipped = 0
    try await BoundedWork.run(streams.keys.sorted(), atOnce: verb.jobs.count) { index in
      try await transcribe(index, isStream: streams[index] ?? false)
    } receive: { outcome in
      if outcome.failed { hasFailed = true }
      if outcome.isSkipped { skipped += 1 }
      try console.errors.around { try console.output.flush(outcome.document) }
    }
    if skipped > 0, verb.inputs.count > 1 {
      console.report(
        Failure(
          .incomplete, "Interrupted: \(skipped) of \(verb.inputs.count) inputs were not transcribed.",
          hint: verb.howToGoOn))
    }
    try Task.checkCancellation()
    return hasFailed ? ExitStatus.failed : ExitStatus.done
  }

  /// Reports every input that cannot be done.
  ///
  /// - Returns: the others by their index, and whether each is a stream.
  private func check() throws -> [Int: Bool] {
    var streams: [Int: Bool] = [:]
    for (index, input) in verb.inputs.enumerated() {
      attempt(index) {
        streams[index] = try verb.parts.map { try Self.check($0) } ?? input.check()
      }
    }
    if !streams.isEmpty { try verb.plan.makeFolder(for: streams.keys.map { verb.inputs[$0] }) }
    for index in streams.keys.sorted() {
      let isFree = attempt(index) {
        let input = verb.inputs[index]
        let replaces = verb.plan.replaces || record?.knows(input.stem) == true
        for output in verb.plan.files(for: input) {
          try WholeFile(path: output.path, replaces: replaces).check()
        }
      }
      if !isFree { streams[index] = nil }
    }
    return streams
  }

  /// Checks files that are joined.
  ///
  /// - Returns: false: none is a stream.
  private static func check(_ parts: [AudioInput]) throws -> Bool {
    for part in parts where try part.check() {
      throw Failure(
        .unreadable, "This is a pipe, not a file.", input: part.name,
        hint: "Write it into a file first: --join reads each file more than once.")
    }
    return false
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
    var partial: Transcript?
    var printed = 0
    do {
      try Task.checkCancellation()
      let entry = try isStream ? nil : verb.resume?.entry(for: input, options)
      if let entry {
        if isDone(entry, of: input) { return outcome }
        for output in verb.plan.files(for: input) { try file(output.path, of: entry).check() }
      }
      var transcript = try await recognize(input, index, isStream: isStream) { segment in
        guard let live = verb.live else { return }
        try console.errors.around {
          try console.output.write(live.line(for: segment.moved(by: verb.offset), of: input.source))
        }
        printed += 1
      } interrupted: {
        partial = $0
      }
      let subtitles = await complete(&transcript, input)
      if Task.isCancelled {
        // The second text of cancelled work may be incomplete, so that it must not become a finished file.
        partial = transcript
        throw CancellationError()
      }
      let files = verb.plan.files(for: input)
      if files.isEmpty {
        outcome.document =
          verb.live.map { Data($0.rest(of: transcript.moved(by: verb.offset)).utf8) }
          ?? Data(verb.heading(of: input, to: console.output).utf8)
          + verb.document(
            transcript, as: verb.plan.formats[0], names: options.spelledTerms, subtitles: subtitles)
      }
      try write(transcript, subtitles, entry, to: files)
      console.report(
        wordless: transcript.coverage.wordless, input: input.name,
        hint: "Option --mark-wordless marks them in the text; the formats md and jsonl say where.")
      console.report(transcript.warnings, input: input.name)
      if transcript.coverage.failed > 0 {
        outcome.failed = true
        console.report(.incomplete(transcript.coverage.failed, of: transcript.duration, input: input.name))
      }
    } catch let closed as ClosedOutput {
      throw closed
    } catch {
      // Not `Task.isCancelled`: the tasks of inputs are also cancelled when another input ends the run.
      if console.isInterrupted() { return await keep(partial, of: input, printed: printed) }
      try Task.checkCancellation()
      let failure = Failure(error, input: input.name)
      if failure.endsTheRun { throw Failure(error) }
      console.report(failure)
      outcome.failed = true
    }
    return outcome
  }

  /// - Returns: the subtitles that were aligned; nil if none were.
  private func complete(_ transcript: inout Transcript, _ input: AudioInput) async -> SubtitleFile? {
    var subtitles: SubtitleFile?
    if let text = verb.text { (transcript, subtitles) = text.alignment(with: transcript) }
    transcript.source = input.source
    transcript.normalized = await normalizer?.normalize(transcript)
    return subtitles
  }

  /// Keeps the text of an input whose work was interrupted, and says so.
  ///
  /// - Parameters:
  ///   - partial: what is final; nil if nothing was recognized.
  ///   - printed: the number of segments that were printed already.
  private func keep(_ partial: Transcript?, of input: AudioInput, printed: Int) async -> Outcome {
    guard var transcript = partial, transcript.coverage.pending < transcript.duration else {
      return Outcome(isSkipped: true)
    }
    let subtitles = await complete(&transcript, input)
    var outcome = Outcome()
    do {
      let files = try verb.plan.files(for: input).map { output in
        try file(output.path, of: nil).writePartial(
          verb.partialDocument(
            transcript, as: output.format, names: options.spelledTerms, subtitles: subtitles))
      }
      if files.isEmpty {
        if verb.live != nil { transcript.segments.removeFirst(printed) }
        outcome.document = verb.partialDocument(
          transcript, as: verb.plan.formats[0], names: options.spelledTerms, subtitles: subtitles)
      }
      console.report(.interrupted(transcript, input: input.name, files: files))
    } catch {
      console.report(Failure(error, input: input.name))
    }
    return outcome
  }

  private func recognize(
    _ input: AudioInput, _ index: Int, isStream: Bool, segment: (Segment) throws -> Void,
    interrupted: (Transcript) -> Void
  ) async throws -> Transcript {
    let transcriber = FileTranscriber(options: options)
    meter.begin(index)
    let report: @Sendable (FileTranscriber.Progress) -> Void = { [meter] progress in
      meter.update(index, processed: progress.processed, duration: progress.duration)
    }
    guard isStream else {
      let files = (verb.parts ?? [input]).map { NamedFile($0.operand) }
      defer { withExtendedLifetime(files) {} }
      let transcript = try await transcriber.transcribe(
        joining: files.map(\.url), progress: report, segment: segment, interrupted: interrupted)
      return try await measured(transcript, files.map(\.url))
    }
    let spool = try await Spool.copy(input, raw: input.isStandardInput ? verb.raw : nil)
    defer { spool.remove() }
    // Copying took its own time, which says nothing of the recognizer's.
    meter.begin(index)
    let transcript = try await transcriber.transcribe(
      spool.file, progress: report, segment: segment, interrupted: interrupted)
    return try await measured(transcript, [spool.file])
  }

  /// The transcript, with measures of the speech if they were requested.
  private func measured(_ transcript: Transcript, _ files: [URL]) async throws -> Transcript {
    guard verb.hasVoiceAnalytics else { return transcript }
    var measured = transcript
    try await measured.measureVoice(in: AudioFileSource(joining: files, tracks: options.tracks))
    return measured
  }

  /// Writes all output files of an input, and remembers that.
  private func write(
    _ transcript: Transcript, _ subtitles: SubtitleFile?, _ entry: ResumeRecord.Entry?,
    to files: [(path: String, format: TranscriptFormat)]
  ) throws {
    let documents = files.map { output in
      verb.document(transcript, as: output.format, names: options.spelledTerms, subtitles: subtitles)
    }
    // Checked before the files are this program's own.
    let targets = files.map { file($0.path, of: entry) }
    for target in targets { try target.check() }
    var done = entry
    done?.files = documents.map { SHA256.hash(data: $0).hexadecimal }
    if var begun = done {
      begun.isDone = false
      try record?.add(begun)
    }
    for (document, target) in zip(documents, targets) { try target.write(document) }
    guard let done, transcript.coverage.failed == 0 else { return }
    try record?.add(done)
    for output in files { unlink(WholeFile.partial(of: output.path).systemName) }
  }

  /// Whether all output files of an input are there as they would be written now.
  private func isDone(_ entry: ResumeRecord.Entry, of input: AudioInput) -> Bool {
    record?.isDone(entry) == true
      && verb.plan.files(for: input).allSatisfy { access($0.path.systemName, F_OK) == 0 }
  }

  private func file(_ path: String, of entry: ResumeRecord.Entry?) -> WholeFile {
    let canReplace = entry.map { record?.canReplace(path, of: $0) == true } == true
    return WholeFile(path: path, replaces: verb.plan.replaces || canReplace)
  }
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

  /// The work on an input was interrupted; what was final is kept.
  static func interrupted(_ transcript: Transcript, input: String, files: [String]) -> Failure {
    let done = String(format: "%.1f", transcript.duration - transcript.coverage.pending)
    let all = String(format: "%.1f", transcript.duration)
    return Failure(
      .incomplete, "Interrupted: \(done) of \(all) seconds were transcribed.", input: input,
      hint: (files.isEmpty ? "" : "Their text is in \(files.joined(separator: ", ")). ")
        + "Run it again for all of it.")
  }
}
