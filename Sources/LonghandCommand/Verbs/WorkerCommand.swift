#if os(Linux)
  import Foundation
  import Longhand

  /// `longhand worker`: transcribes what another program names, one file after another.
  struct WorkerCommand: Verb {
    private static let allowRemote = Option(
      "--allow-remote", summary: "allow jobs to name URLs of other computers; needs --fetch")
    private static let fetch = Option(
      "--fetch", value: "COMMAND",
      summary: "command that writes the contents of {url} to its standard output, such as 'curl -sSf {url}'")
    private static let services = Option(
      "--jobs", value: "N",
      summary: "recognizer processes for one recording (default: 1; start one worker for each processor)")

    /// A document of one format, which is text.
    private static let format = Option(
      Option.format.name, value: "FORMAT",
      summary: "write the text in this format, in place of the transcript in JSON: "
        + TranscriptFormat.allCases.filter(\.isText).map(\.rawValue).joined(separator: " "))

    /// The options that a job can have, and the command line for all jobs.
    static let jobOptions =
      Option.recognition + Option.speakers + [
        .tracks, .normalizing(", in txt, md, json and html"), format, .translate, .onlyTranslation,
        .wordTimestamps, .raw,
      ]

    static let description = VerbDescription(
      name: "worker",
      summary: "Transcribe files for another program, such as Spark or Slurm",
      operands: "",
      discussion: """
        Reads one job per line from standard input, in JSON:
        {"id": "a", "path": "talk.wav", "options": {"locale": "en-US"}}
        and prints one line of JSON for each job as soon as it is done: id, status (ok
        or failed), path, sha256 of the audio, audioSeconds, processorSeconds (with the
        recognizer's processes), transcript (the same as 'transcribe --json'), spans
        (what became of each part), candidateWords (for 'import --transcripts') and
        error. With the option format, the line has the members document, which is the
        text in this format, and coverage in place of transcript, spans and
        candidateWords. With format
        jsonl, lines with the status running come before, each with the next part of
        it. For a file that cannot be transcribed, the status is failed. The options
        of a job are the options below without dashes; those of the command line are for
        all jobs. The recognizer stays loaded between jobs, for ten minutes. The exit
        status is 0 if
        every job got its line. SIGTERM ends the worker with status 143, after the line
        that it is writing. Schemas/worker.schema.json describes both kinds of line.
        """,
      options: jobOptions + [allowRemote, fetch, services],
      examples: [
        .init(
          purpose: "Transcribe one file",
          command: #"echo '{"id": "1", "path": "talk.wav"}' | longhand worker"#),
        .init(
          purpose: "Transcribe the jobs of a list",
          command: "cat jobs.jsonl | longhand worker > transcripts.jsonl"),
      ])

    /// The arguments of every job.
    let defaults: [String]
    /// Copies what remote locations name; nil if they are not allowed.
    let fetch: FetchCommand?
    private let services: Int

    init(_ arguments: ParsedArguments) throws {
      _ = try arguments.operands(named: [])
      defaults = arguments.arguments(of: Self.jobOptions)
      services = try arguments.integer(Self.services, in: 1...1024) ?? 1
      guard arguments.has(Self.allowRemote) == (arguments.value(Self.fetch) != nil) else {
        throw Failure.usage(
          "The options --allow-remote and --fetch are only used together.",
          hint: "Example: --allow-remote --fetch 'aws s3 cp {url} -'")
      }
      fetch = try arguments.value(Self.fetch).map(FetchCommand.init)
      // Mistakes in the options of all jobs are found at once.
      _ = try TranscriberOptions(arguments)
      _ = try NormalizationOption(arguments)
      _ = try WorkerRun.command(defaults)
    }

    func run(_ console: Console) async throws -> Int32 {
      if isatty(STDIN_FILENO) == 1 {
        throw Failure.usage(
          "Standard input is a terminal, which has no jobs.", hint: "Pipe lines of JSON into it.")
      }
      // One recording at a time, on as many processors as the caller gave to this worker.
      setenv(JobCount.variable, String(services), 1)
      ServiceLingering.set()
      return try await WorkerRun(verb: self, console: console).run()
    }
  }
#endif
