import Foundation
import Longhand

/// `longhand transcribe`: transcribes files.
struct TranscribeCommand: Verb {
  static let description = VerbDescription(
    name: "transcribe",
    summary: "Transcribe audio and video files",
    operands: "FILE…",
    discussion: """
      The text is printed, or written into files with -o or --output-dir. Existing
      files are replaced only with --force. FILE can be '-' for standard input. If
      one file fails, the others are still transcribed, and the exit status is 1.
      Ctrl-C keeps the text that is final: it is printed, or written into FILE.partial
      beside the output FILE. With --format jsonl and one input, each segment (speech
      between two pauses) is printed as soon as it is final; the last line has the
      type 'end', which is missing if the work was interrupted. --jobs also sets the
      number of recognizer processes. It changes the speed, not the text.
      """,
    options: [
      .format, .txt, .srt, .vtt, .json, .output, .outputFolder, .force, .locale, .engine, .vocabulary,
      .languageModel, .languageModelWeight, .alternatives, .reranking, .normalize, .wordTimestamps,
      .maximumLineWidth, .maximumLineCount, .raw, .jobs, .progress, .quiet,
    ],
    examples: [
      .init(purpose: "Print the text", command: "longhand transcribe talk.wav"),
      .init(
        purpose: "Write subtitles and JSON for two recordings into the folder out",
        command: "longhand transcribe --format srt,json --output-dir out talk.wav panel.wav"),
      .init(
        purpose: "Read audio from another program",
        command: "cat talk.wav | longhand transcribe - -o talk.vtt"),
    ])

  /// The inputs in order.
  let inputs: [AudioInput]
  /// The sample format of standard input, if it has no header.
  let raw: RawAudioFormat?
  /// Where transcripts are written.
  let plan: OutputPlan
  /// The recognition options.
  let options: TranscriberOptions
  /// The caption layout.
  let layout: CaptionLayout
  /// The second text, if requested.
  let normalization: NormalizationOption?
  /// Whether word times are written.
  let wordTimestamps: Bool
  /// The number of inputs at a time.
  let jobs: JobCount
  /// How progress is shown.
  let progress: ProgressMeter.Style

  init(_ arguments: ParsedArguments) throws {
    inputs = arguments.operands.map(AudioInput.init)
    if inputs.isEmpty {
      throw Failure.usage(
        "No input file.", hint: "Example: longhand transcribe talk.wav")
    }
    if inputs.contains(where: { $0.operand.isEmpty }) {
      throw Failure.usage(
        "The name of an input is empty.", hint: "Check the quotes and variables in the command.")
    }
    if inputs.count(where: \.isStandardInput) > 1 {
      throw Failure.usage("Standard input can be read only once.", hint: "Write '-' only once.")
    }
    raw = try arguments.value(.raw).map(RawAudioFormat.init)
    if raw != nil, !inputs.contains(where: \.isStandardInput) {
      throw Failure.usage("The option --raw applies to standard input only.", hint: "Add '-' as an input.")
    }
    plan = try OutputPlan(arguments, inputs: inputs)
    options = try TranscriberOptions(arguments)
    normalization = try NormalizationOption(arguments, formats: plan.formats)
    layout = try CaptionLayout(arguments)
    wordTimestamps = arguments.has(.wordTimestamps)
    jobs = try JobCount(arguments)
    progress = try TranscriberOptions.progress(arguments)
  }

  func run(_ console: Console) async throws -> Int32 {
    if inputs.contains(where: \.isStandardInput), isatty(STDIN_FILENO) == 1 {
      throw Failure.usage(
        "Standard input is a terminal, which has no audio.",
        hint: "Pipe an audio file into it, or name a file.")
    }
    jobs.setServiceCount()
    let run = try TranscriptionRun(
      verb: self, options: try await options.transcription(), console: console)
    return try await run.run()
  }

  /// How each segment is told as soon as it stands; nil where a document is written at its end. Of several inputs that
  /// are in hand at once none can be told before the one that comes first.
  var live: JSONLinesDocument? {
    guard case .standardOutput = plan.destination, plan.formats == [.jsonl], inputs.count == 1 else {
      return nil
    }
    return JSONLinesDocument(wordTimestamps: wordTimestamps)
  }

  /// A document in one format.
  func document(_ transcript: Transcript, as format: TranscriptFormat) -> String {
    // In a file as it would have been told.
    if format == .jsonl {
      let document = JSONLinesDocument(wordTimestamps: wordTimestamps)
      return transcript.segments.map(document.line).joined() + document.rest(of: transcript)
    }
    return TranscriptFormatter(format: format, layout: layout, wordTimestamps: wordTimestamps).string(
      for: transcript)
  }

  /// A document of interrupted work. In JSON lines the last line is missing, which programs take for the end.
  func partialDocument(_ transcript: Transcript, as format: TranscriptFormat) -> String {
    guard format == .jsonl else { return document(transcript, as: format) }
    return transcript.segments.map(JSONLinesDocument(wordTimestamps: wordTimestamps).line).joined()
  }
}
