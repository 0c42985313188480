import Longhand

/// `longhand export`: a session in any format.
struct ExportSession: Verb {
  static let description = VerbDescription(
    name: "export",
    summary: "Writes the transcript of a session in any format",
    operands: "ID",
    discussion: """
      ID is a session's, the beginning of it, or 'last'. The text goes to standard
      output, or into files with -o or --output-dir, never over one that exists
      without --force.
      """,
    options: [
      .library, .format, .txt, .srt, .vtt, .json, .output, .outputFolder, .force, .wordTimestamps,
      .maximumLineWidth, .maximumLineCount,
    ],
    examples: [.init(purpose: "captions", command: "longhand export last --format vtt -o talk.vtt")])

  private let reference: SessionReference
  private let plan: OutputPlan
  private let layout: CaptionLayout
  private let wordTimestamps: Bool

  init(_ arguments: ParsedArguments) throws {
    reference = try SessionReference(arguments)
    plan = try OutputPlan(arguments, inputs: [])
    layout = CaptionLayout(
      maxLineWidth: try arguments.integer(.maximumLineWidth, in: 1...10_000),
      maxLineCount: try arguments.integer(.maximumLineCount, in: 1...1000))
    wordTimestamps = arguments.has(.wordTimestamps)
  }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    let transcript = try library.store.transcript(of: session.id)
    func document(_ format: TranscriptFormat) -> String {
      TranscriptFormatter(format: format, layout: layout, wordTimestamps: wordTimestamps).string(
        for: transcript)
    }
    let files = plan.files(for: SoundInput(operand: session.source))
    if files.isEmpty { try console.output.write(document(plan.formats[0])) }
    for output in files {
      try WholeFile(path: output.path, replaces: plan.replaces).write(document(output.format))
    }
    return ExitStatus.done
  }
}
