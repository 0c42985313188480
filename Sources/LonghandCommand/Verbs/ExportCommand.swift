import Longhand

/// `longhand export`: a session in any format.
struct ExportCommand: Verb {
  static let description = VerbDescription(
    name: "export",
    summary: "Writes the transcript of a session in any format",
    operands: "ID",
    discussion: """
      ID is a session's, the beginning of it, or 'last'. The text goes to standard
      output, or into files with -o or --output-dir, never over one that exists
      without --force. It is what was heard, to the word; --normalize with a
      vocabulary adds a second text, labelled, as the domain writes it.
      """,
    options: [
      .library, .format, .txt, .srt, .vtt, .json, .output, .outputFolder, .force, .vocabulary, .normalize,
      .wordTimestamps,
      .maximumLineWidth, .maximumLineCount,
    ],
    examples: [.init(purpose: "captions", command: "longhand export last --format vtt -o talk.vtt")])

  private let reference: SessionReference
  private let plan: OutputPlan
  private let layout: CaptionLayout
  private let wordTimestamps: Bool
  private let normalization: NormalizationOption?

  init(_ arguments: ParsedArguments) throws {
    reference = try SessionReference(arguments)
    plan = try OutputPlan(arguments, inputs: [])
    layout = try CaptionLayout(arguments)
    wordTimestamps = arguments.has(.wordTimestamps)
    normalization = try NormalizationOption(arguments, formats: plan.formats)
    if arguments.value(.vocabulary) != nil, normalization == nil {
      throw Failure.usage(
        "what was heard does not change by a vocabulary",
        hint: "add --normalize, or see 'longhand help retranscribe'")
    }
  }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    var transcript = try library.transcript(of: session)
    transcript.normalized = try await normalization?.normalizer().normalize(transcript.text)
    let files = plan.files(for: AudioInput(operand: session.source))
    try plan.makeFolder()
    for output in files { try WholeFile(path: output.path, replaces: plan.replaces).check() }
    if files.isEmpty { try console.output.write(document(transcript, plan.formats[0])) }
    for output in files {
      try WholeFile(path: output.path, replaces: plan.replaces).write(document(transcript, output.format))
    }
    return ExitStatus.done
  }

  private func document(_ transcript: Transcript, _ format: TranscriptFormat) -> String {
    TranscriptFormatter(format: format, layout: layout, wordTimestamps: wordTimestamps).string(
      for: transcript)
  }
}
