import Foundation
import Longhand

/// `longhand transcribe`: from sound files to text.
struct TranscribeCommand: Verb {
  static let description = VerbDescription(
    name: "transcribe",
    summary: "Writes down what is said in sound files and videos",
    operands: "FILE…",
    discussion: """
      The text goes to standard output, or into files with -o or --output-dir. '-'
      is standard input. A file is written whole or not at all, and never over one
      that exists without --force. The status is 1 when any of the inputs failed;
      the others are done all the same. --jobs N also sets SPEECH_SERVICE_COUNT, the
      number of recognizers; the transcript does not depend on it. With jsonl, a
      single input's segments are on standard output as soon as they stand.
      """,
    options: [
      .format, .txt, .srt, .vtt, .json, .output, .outputFolder, .force, .locale, .engine, .vocabulary,
      .languageModel, .languageModelWeight, .alternatives, .reranking, .normalize, .wordTimestamps,
      .maximumLineWidth, .maximumLineCount, .raw, .jobs, .progress, .quiet,
    ],
    examples: [
      .init(purpose: "the text", command: "longhand transcribe talk.wav"),
      .init(
        purpose: "captions and everything that is known, for two recordings",
        command: "longhand transcribe --format srt,json --output-dir out talk.wav panel.wav"),
      .init(purpose: "from another program", command: "cat talk.wav | longhand transcribe - -o talk.vtt"),
    ])

  /// What is transcribed, in order.
  let inputs: [AudioInput]
  /// How standard input's samples are laid out, when it is nothing but samples.
  let raw: RawAudioFormat?
  /// Where the transcripts go.
  let plan: OutputPlan
  /// What is listened for.
  let options: TranscriberOptions
  /// How the formats are written.
  let layout: CaptionLayout
  /// The second text that is asked for, if any.
  let normalization: NormalizationOption?
  /// Whether each word's time is written.
  let wordTimestamps: Bool
  /// How the work is spread.
  let jobs: JobCount
  /// How progress is shown.
  let progress: ProgressMeter.Style

  init(_ arguments: ParsedArguments) throws {
    inputs = arguments.operands.map(AudioInput.init)
    if inputs.isEmpty {
      throw Failure.usage(
        "no file was given", hint: "such as 'longhand transcribe talk.wav'; '-' is standard input")
    }
    if inputs.contains(where: { $0.operand.isEmpty }) {
      throw Failure.usage(
        "the name of an input is empty", hint: "check the quotes and variables of the command line")
    }
    if inputs.count(where: \.isStandardInput) > 1 {
      throw Failure.usage("standard input can be read only once", hint: "leave all but one '-' out")
    }
    raw = try arguments.value(.raw).map(RawAudioFormat.init)
    if raw != nil, !inputs.contains(where: \.isStandardInput) {
      throw Failure.usage("--raw is for standard input, which is not among the inputs", hint: "add '-'")
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
        "standard input is the terminal, where no sound comes from",
        hint: "pipe a sound file in, or name a file")
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
}
