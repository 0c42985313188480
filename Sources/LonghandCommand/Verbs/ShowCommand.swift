import Longhand

/// `longhand show`: prints a transcript.
struct ShowCommand: Verb {
  static let description = VerbDescription(
    name: "show",
    summary: "Print the transcript of a session, with times",
    operands: "ID",
    discussion: """
      ID is the ID of a session, its first characters, its name, or 'last'.
      Each line is one segment, a stretch of speech between two pauses, with its start
      time.
      """,
    options: [.library, .style],
    examples: [.init(purpose: "Print the newest transcript", command: "longhand show last")])

  private let reference: SessionReference
  private let style: TextStyle

  init(_ arguments: ParsedArguments) throws {
    reference = try SessionReference(arguments)
    style = try TextStyle(arguments)
  }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    let transcript = try library.store.transcript(of: session.id)
    for segment in (style == .sentences ? transcript.writtenInSentences() : transcript).segments {
      try console.output.write(Self.line(segment))
    }
    return ExitStatus.done
  }

  /// A segment with its start time.
  static func line(_ segment: Segment) -> String {
    "[\(Milliseconds(seconds: segment.start).clock)] \(segment.text.escapingControls)\n"
  }
}
