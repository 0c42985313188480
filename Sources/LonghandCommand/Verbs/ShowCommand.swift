import Longhand

/// `longhand show`: what was said in a session.
struct ShowCommand: Verb {
  static let description = VerbDescription(
    name: "show",
    summary: "Prints what was said in a session, with times",
    operands: "ID",
    discussion: """
      ID is a session's, the beginning of it, or 'last'. A line a segment, with the
      time at which it begins.
      """,
    options: [.library],
    examples: [.init(purpose: "the newest", command: "longhand show last")])

  private let reference: SessionReference

  init(_ arguments: ParsedArguments) throws { reference = try SessionReference(arguments) }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    for segment in try library.store.transcript(of: session.id).segments {
      try console.output.write(Self.line(segment))
    }
    return ExitStatus.done
  }

  /// A segment with the time at which it begins.
  static func line(_ segment: Segment) -> String {
    "[\(Milliseconds(seconds: segment.start).clock)] \(segment.text.escapingControls)\n"
  }
}
