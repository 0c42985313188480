import Foundation
import Longhand

/// `longhand transcribe`: transcribes files.
struct TranscribeCommand: Verb {
  static let description = VerbDescription(
    name: "transcribe",
    summary: "Transcribe audio and video files",
    operands: "FILE…",
    discussion: """
      The text is printed, or written into files with -o or --output-dir. FILE can be
      '-' for standard input, or a folder. Write ./-talk.wav if a name begins with a
      dash. If two inputs have the same name, the output of the second one is named
      NAME-2. If a file fails, the others are still transcribed, and the exit status
      is 1. After Ctrl-C, the text so far is printed, or written to FILE.partial.
      With --format jsonl and one input, each segment (speech between two pauses) is
      printed as soon as it is final; the type of the last line is 'end'. --jobs also
      sets the number of recognizer processes, which does not change the text. With
      --resume, the same command continues interrupted work, and does an input again
      if its audio or the options changed, or a part of it failed. An output that you
      edited is not replaced without --force.
      """,
    options: [.format, .txt, .srt, .vtt, .json, .output, .outputFolder, .force] + Option.recognition
      + Option.speakers + [
        .tracks, .listTracks, .log, .translate, .onlyTranslation, .normalize, .entities, .style, .numbers,
        .wordTimestamps, .markWordless,
        .voiceAnalytics,
        .withEcho, .offset, .join,
        .maximumLineWidth, .maximumLineCount, .captionOverlap, .raw,
        .recursive, .filesFrom, .resume, .jobs, .progress, .quiet,
      ],
    examples: [
      .init(purpose: "Print the text", command: "longhand transcribe talk.wav"),
      .init(
        purpose: "Write subtitles and JSON into the folder out",
        command: "longhand transcribe --format srt,json --output-dir out talk.wav panel.wav"),
      .init(
        purpose: "Read audio from another program",
        command: "cat talk.wav | longhand transcribe - -o talk.vtt"),
      .init(
        purpose: "Transcribe an archive; after an interruption, continue with the rest",
        command: "longhand transcribe *.wav --resume texts"),
    ])

  private let list: InputList
  /// The inputs in order. Of parts that are joined, the first stands for all.
  let inputs: [AudioInput]
  /// The files that are joined, in order; nil if each input is transcribed by itself.
  let parts: [AudioInput]?
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
  /// The second text in English, if requested.
  let translation: TranslationOption?
  /// How text is written.
  let style: TextStyle
  /// How numbers are written; nil as the recognizer writes them.
  let numbers: NumberForm?
  /// Seconds that are added to all times.
  let offset: TimeInterval
  /// Whether word times are written.
  let wordTimestamps: Bool
  /// Whether speech without words is marked; nil for the format's default.
  let marksWordless: Bool?
  /// Whether JSON has measures of the speech.
  let hasVoiceAnalytics: Bool
  /// Whether words that are echoes of another channel are written.
  let hasEcho: Bool
  /// Where finished outputs are not made again; nil if all are made.
  let resume: ResumeOption?
  /// The number of inputs at a time.
  let jobs: JobCount
  /// How progress is shown.
  let progress: ProgressMeter.Style
  /// The text of the inputs, if it is known and only its times are not.
  let text: KnownText?
  private let isQuiet: Bool
  private let listsTracks: Bool

  init(_ arguments: ParsedArguments) throws { try self.init(arguments, text: nil) }

  /// - Parameter text: the text of the inputs, if it is known and only its times are not.
  init(_ arguments: ParsedArguments, text: KnownText?) throws {
    self.text = text
    list = try InputList(arguments)
    parts = arguments.has(.join) ? list.inputs : nil
    inputs = parts.map { Array($0.prefix(1)) } ?? list.inputs
    if parts != nil, arguments.has(.resume) || list.inputs.contains(where: \.isStandardInput) {
      throw Failure.usage(
        "The option --join is for files, and not for standard input or with --resume.",
        hint: "Example: longhand transcribe --join part1.wav part2.wav -o talk.srt")
    }
    raw = try arguments.value(.raw).map(RawAudioFormat.init)
    if raw != nil, !inputs.contains(where: \.isStandardInput) {
      throw Failure.usage("The option --raw applies to standard input only.", hint: "Add '-' as an input.")
    }
    resume = try ResumeOption(arguments, inputs: inputs)
    plan = try OutputPlan(arguments, inputs: inputs, parts: parts)
    translation = try TranslationOption(arguments, formats: plan.formats)
    options = try TranscriberOptions(arguments)
    normalization = try NormalizationOption(arguments, formats: plan.formats)
    var layout = try CaptionLayout(arguments)
    // Subtitles stay as they are divided.
    if text?.subtitles != nil, arguments.value(.maximumLineCount) == nil { layout.maxLineCount = nil }
    self.layout = layout
    // A known text stays as it is written.
    style = try text == nil ? TextStyle(arguments) : .words
    numbers = try plan.numbers(arguments)
    offset = try arguments.number(.offset, in: 0...1_000_000) ?? 0
    wordTimestamps = arguments.has(.wordTimestamps)
    marksWordless = arguments.has(.markWordless) ? true : nil
    hasVoiceAnalytics = try plan.hasVoiceAnalytics(arguments)
    hasEcho = arguments.has(.withEcho)
    jobs = try JobCount(arguments)
    progress = try TranscriberOptions.progress(arguments)
    isQuiet = arguments.has(.quiet)
    listsTracks = arguments.has(.listTracks)
  }

  func run(_ console: Console) async throws -> Int32 {
    if listsTracks { return try TrackList(inputs: list.inputs).run(console) }
    if inputs.contains(where: \.isStandardInput), isatty(STDIN_FILENO) == 1 {
      throw Failure.usage(
        "Standard input is a terminal, which has no audio.",
        hint: "Pipe an audio file into it, or name a file.")
    }
    if case .folder = plan.destination, !isQuiet, parts == nil {
      for (input, other) in list.renamed {
        console.note(
          "\(input.name): The output is named \(input.stem), because \(other.name) has the same name.")
      }
    }
    if let parts, !isQuiet, console.errorStyle == .line {
      let names = parts.enumerated().map { "\n  \($0 + 1). \($1.name.escapingControls)" }.joined()
      console.errors.line("longhand: One recording of \(parts.count) parts, in this order:\(names)")
    }
    jobs.setServiceCount()
    let run = try TranscriptionRun(
      verb: self, options: try await options.transcription(), console: console)
    return try await run.run()
  }

  /// Writes each segment as soon as it is final; nil if a document is written at its end. Of several inputs that are
  /// processed at once none can be written before the first one.
  var live: JSONLinesDocument? {
    guard case .standardOutput = plan.destination, plan.formats == [.jsonl], inputs.count == 1,
      !options.separatesVoices, translation == nil, text == nil
    else {
      return nil
    }
    return lines
  }

  private var lines: JSONLinesDocument {
    JSONLinesDocument(wordTimestamps: wordTimestamps, namesSourceInEveryLine: inputs.count > 1)
  }

  /// A document in one format.
  /// - Parameters:
  ///   - names: terms in the spelling of their domain.
  ///   - subtitles: the document in its own format; nil if no subtitles are aligned.
  func document(
    _ transcript: Transcript, as format: TranscriptFormat, names: [String], subtitles: SubtitleFile? = nil
  ) -> Data {
    if let subtitles, subtitles.format == format { return Data(subtitles.text.utf8) }
    let transcript = translation?.shown(transcript) ?? transcript
    // In a file as it would have been written live.
    if format == .jsonl {
      return partialDocument(transcript, as: format, names: names)
        + Data(lines.rest(of: transcript.moved(by: offset)).utf8)
    }
    var formatter = TranscriptFormatter(
      format: format, layout: layout, wordTimestamps: wordTimestamps, marksWordless: marksWordless,
      style: style, names: names)
    formatter.hasEcho = hasEcho
    formatter.numbers = numbers
    formatter.offset = offset
    return formatter.data(for: transcript)
  }

  /// How the inputs are transcribed that were not.
  var howToGoOn: String {
    if resume != nil { return "Run it again: it goes on with them." }
    guard case .folder(let folder) = plan.destination else { return "Run it again with them." }
    return "Run it again with --resume '\(folder)' in place of --output-dir: it goes on with them."
  }

  /// What a reader at a terminal sees before the text of one of several inputs; empty where programs read the text.
  func heading(of input: AudioInput, to output: StandardOutput) -> String {
    guard inputs.count > 1, plan.formats == [.txt], isatty(output.descriptor) == 1 else { return "" }
    return "==> \(input.name.escapingControls) <==\n"
  }

  /// A document of interrupted work. In JSON lines the last line is missing, which programs take for the end.
  func partialDocument(
    _ transcript: Transcript, as format: TranscriptFormat, names: [String], subtitles: SubtitleFile? = nil
  ) -> Data {
    guard format == .jsonl else {
      return document(transcript, as: format, names: names, subtitles: subtitles)
    }
    let segments = transcript.moved(by: offset).segments
    return Data(segments.map { lines.line(for: $0, of: transcript.source) }.joined().utf8)
  }
}
