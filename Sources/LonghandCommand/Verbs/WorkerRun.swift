#if os(Linux)
  import ChildProcesses
  import FileSupport
  import Foundation
  import Longhand

  /// The work of `worker`: one job after another, until standard input ends or no program reads the answers.
  struct WorkerRun: Sendable {
    /// How a job is transcribed.
    private struct Setup: Sendable {
      var arguments: [String]
      /// Of `transcribe`, with the same options.
      var command: TranscribeCommand
      var options: TranscriptionOptions
      var normalizer: TranscriptNormalizer?
      /// The format of the document; nil if no option names one.
      var format: TranscriptFormat?
    }

    /// How often the reader of the answers is looked for, while a recording is transcribed.
    private static let interval = Duration.seconds(1)
    /// The longest line of a job, in bytes.
    private static let maxLine = 1 << 20

    let verb: WorkerCommand
    let console: Console

    /// Does all of it.
    ///
    /// - Returns: the exit status.
    func run() async throws -> Int32 {
      AudioFileSource.prepare()
      return try await withThrowingTaskGroup(of: Int32.self) { group in
        group.addTask { try await answerAll() }
        group.addTask {
          while !console.output.isAbandoned { try await Task.sleep(for: Self.interval) }
          throw ClosedOutput()
        }
        defer { group.cancelAll() }
        return try await group.next() ?? ExitStatus.done
      }
    }

    private func answerAll() async throws -> Int32 {
      let jobs = try Self.takeStandardInput()
      defer { close(jobs) }
      let lines = LineReader(StreamReader(descriptor: jobs, name: "standard input"), maxLength: Self.maxLine)
      var setup: Setup?
      var number = 0
      var before = ProcessorTime.seconds
      while let line = try await lines.next() {
        number += 1
        guard line != .bytes([]), line != .bytes([0x0D]) else { continue }
        var answer = try await answer(line, number: number, &setup)
        let after = ProcessorTime.seconds
        answer.processorSeconds = max(0, after - before)
        before = after
        try console.output.write(answer.line)
      }
      return ExitStatus.done
    }

    /// Standard input under another descriptor. A job that names `/dev/stdin` must not read the jobs after it.
    private static func takeStandardInput() throws -> Int32 {
      let jobs = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
      let none = open("/dev/null", O_RDONLY | O_CLOEXEC)
      defer { close(none) }
      guard jobs >= 0, dup2(none, STDIN_FILENO) >= 0 else {
        throw Failure.system(errno, .unreadable, "Cannot read the jobs", input: "standard input")
      }
      return jobs
    }

    private func answer(_ line: LineReader.Line, number: Int, _ setup: inout Setup?) async throws
      -> WorkerAnswer
    {
      guard case .bytes(let bytes) = line else {
        let problem = "The line has more than \(Self.maxLine >> 20) MB."
        return WorkerAnswer(failure: Failure(.malformed, problem, input: "line \(number)"))
      }
      let job: WorkerJob
      do {
        job = try WorkerJob(bytes, options: WorkerCommand.jobOptions)
      } catch {
        return WorkerAnswer(
          id: error.id,
          failure: Failure(
            .malformed, error.problem, input: "line \(number)",
            hint: #"Example: {"id": "a", "path": "talk.wav", "options": {"locale": "en-US"}}"#))
      }
      var answer = WorkerAnswer(id: job.id, path: job.path)
      do {
        let setup = try await self.setup(job, &setup)
        try await transcribe(job, setup, &answer)
      } catch {
        try Task.checkCancellation()
        answer.failure = Failure(error, input: job.path)
      }
      return answer
    }

    /// How a job is transcribed. The next job with the same options uses it again.
    private func setup(_ job: WorkerJob, _ last: inout Setup?) async throws -> Setup {
      if let last, last.arguments == job.arguments { return last }
      last = nil
      let arguments = verb.defaults + job.arguments
      let command = try Self.command(arguments)
      let setup = Setup(
        arguments: job.arguments, command: command, options: try await command.options.transcription(),
        normalizer: try command.normalization?.normalizer(),
        format: Self.namesFormat(arguments) ? command.plan.formats[0] : nil)
      last = setup
      return setup
    }

    /// The command that transcribes with the same options; its input is none of the jobs'.
    static func command(_ arguments: [String]) throws -> TranscribeCommand {
      let arguments = arguments + (namesFormat(arguments) ? [] : [Option.json.name])
      let command = try TranscribeCommand(TranscribeCommand.description.parser.parse(arguments + ["-"]))
      if let format = command.plan.formats.first(where: { !$0.isText }) {
        throw Failure.usage(
          "The answers of a worker are text, and \(format.rawValue) is not.", hint: "Use html, md or txt.")
      }
      return command
    }

    private static func namesFormat(_ arguments: [String]) -> Bool {
      arguments.contains { $0.hasPrefix("\(Option.format.name)=") }
    }

    private func transcribe(_ job: WorkerJob, _ setup: Setup, _ answer: inout WorkerAnswer) async throws {
      let input = try Self.input(job.path)
      let spool = try await spool(job, input, raw: setup.command.raw)
      defer { spool?.remove() }
      let named = NamedFile(spool?.file.path ?? input.operand)
      defer { withExtendedLifetime(named) {} }
      answer.sha256 = try SHA256.hash(contentsOf: named.url).hexadecimal
      let command = setup.command
      let live = command.live
      var transcript = try await FileTranscriber(options: setup.options).transcribe(
        named.url,
        segment: { segment in
          guard let live else { return }
          let part = live.line(for: segment, of: input.source)
          try console.output.write(WorkerAnswer.line(id: job.id, part: part))
        })
      transcript.source = input.source
      transcript.normalized = await setup.normalizer?.normalize(transcript)
      // A second text that was interrupted may be incomplete.
      try Task.checkCancellation()
      answer.transcript = transcript
      answer.names = setup.options.spelledTerms
      if let format = setup.format {
        answer.document =
          live?.rest(of: transcript)
          ?? String(
            decoding: command.document(transcript, as: format, names: answer.names), as: UTF8.self)
      }
      let failed = transcript.coverage.failed
      if failed > 0 { answer.failure = .incomplete(failed, of: transcript.duration, input: job.path) }
    }

    /// A copy of a stream or of what a remote location names; nil for a file.
    private func spool(
      _ job: WorkerJob, _ input: AudioInput, raw: RawAudioFormat?
    ) async throws -> Spool? {
      if FetchCommand.isRemote(job.path) {
        guard let fetch = verb.fetch else {
          throw Failure(
            .unreadable, "The location is on another computer.",
            hint: "Start the worker with --allow-remote --fetch COMMAND.")
        }
        return try await fetch.copy(job.path)
      }
      return try input.check() || raw != nil ? try await Spool.copy(input, raw: raw) : nil
    }

    private static func input(_ location: String) throws -> AudioInput {
      guard !location.isEmpty else { throw Failure(.unreadable, "The path is empty.") }
      guard location.lowercased().hasPrefix("file:") else {
        // A worker's standard input has jobs.
        return AudioInput(operand: location == "-" ? "./-" : location)
      }
      guard let path = URL(string: location)?.path(percentEncoded: false), path.hasPrefix("/") else {
        throw Failure(
          .unreadable, "This is not the URL of a file.", hint: "Example: file:///archive/talk.wav")
      }
      return AudioInput(operand: path)
    }
  }
#endif
