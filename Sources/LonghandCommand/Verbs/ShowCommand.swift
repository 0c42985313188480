import Longhand

/// `longhand show`: prints a transcript.
struct ShowCommand: Verb {
  private static let normalize = Option(
    "--normalize", summary: "also print the text with the names and corrections of the session's vocabulary")

  static let description = VerbDescription(
    name: "show",
    summary: "Print the transcript of a session, with times",
    operands: "ID",
    discussion: """
      ID is the ID of a session, its first characters, its name, or 'last'.
      Each line is one segment (speech between two pauses), or what one speaker says
      of it, with its start time. If the session was transcribed with a vocabulary,
      --normalize adds a line below each segment in which names or terms are
      corrected, and --only-normalized prints the text with the corrections alone.
      """,
    options: [.library, .style, normalize, .onlyNormalized, .withEcho],
    examples: [.init(purpose: "Print the newest transcript", command: "longhand show last")])

  private let reference: SessionReference
  private let style: TextStyle
  private let isNormalized: Bool
  private let isOnlyNormalized: Bool
  private let hasEcho: Bool

  init(_ arguments: ParsedArguments) throws {
    reference = try SessionReference(arguments)
    style = try TextStyle(arguments)
    isOnlyNormalized = arguments.has(.onlyNormalized)
    isNormalized = arguments.has(Self.normalize) && !isOnlyNormalized
    hasEcho = arguments.has(.withEcho)
  }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    var transcript = try library.store.transcript(of: session.id)
    if isNormalized || isOnlyNormalized, try library.store.spellings(of: session.id) == nil {
      throw Self.missingSecondText(session)
    }
    var normalized =
      isNormalized || isOnlyNormalized ? try library.store.normalizedSegments(of: session.id) : [:]
    // The second texts are those of the segments with their echoes.
    if isOnlyNormalized { (transcript, normalized) = (transcript.inSecondText(normalized), [:]) }
    if !hasEcho {
      for segment in transcript.segments {
        normalized[segment.id] = normalized[segment.id]?.withoutEcho(of: [segment])
      }
      transcript = transcript.withoutEcho
    }
    // The marks and capitals of the second text are those of its own words.
    let second = isNormalized && style == .sentences ? transcript.inSecondText(normalized) : nil
    let written = Dictionary(
      (second?.writtenInSentences().segments ?? []).map { ($0.id, $0.text) }, uniquingKeysWith: { $1 })
    // A segment without words has a new decoding without any, or a person deleted them or took back a division.
    let segments = (style == .sentences ? transcript.writtenInSentences() : transcript).dividedBySpeaker
      .segments
    for (index, segment) in segments.enumerated() where !segment.text.isEmpty {
      try console.output.write(Self.line(segment, by: transcript.speakerName(of: segment)))
      // The second text is that of all parts.
      let isLast = index + 1 == segments.count || segments[index + 1].id != segment.id
      guard isLast, let second = normalized[segment.id], !second.spans.isEmpty else { continue }
      let text = written[segment.id] ?? second.text
      try console.output.write("    normalized: \(text.escapingControls)\n")
    }
    if let summary = try library.store.unsureWords(of: session.id).summary { console.note(summary) }
    return ExitStatus.done
  }

  /// The session has no second text.
  static func missingSecondText(_ session: RecordedSession) -> Failure {
    Failure(
      .notFound, "The session was transcribed without a vocabulary, so it has no second text.",
      input: String(session.id.prefix(8)),
      hint: "Transcribe it again with 'longhand retranscribe \(session.id.prefix(8)) --vocabulary FILE'.")
  }

  /// A segment with its start time and, if it is known, its speaker.
  static func line(_ segment: Segment, by speaker: String? = nil) -> String {
    let name = speaker.map { "\($0.escapingControls): " } ?? ""
    return "[\(Milliseconds(seconds: segment.start).clock)] \(name)\(segment.text.escapingControls)\n"
  }
}
