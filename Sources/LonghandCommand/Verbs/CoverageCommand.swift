import Foundation
import Longhand

/// `longhand coverage`: which parts of a session have text, are silent, or failed.
struct CoverageCommand: Verb {
  static let description = VerbDescription(
    name: "coverage",
    summary: "Show which parts of a session have text, are silent, or failed",
    operands: "ID",
    discussion: """
      ID is the ID of a session, its first characters, its name, or 'last'.
      Each line is one part of the recording: its start and end in seconds, and its
      state. States: transcribed (has text), silent (no sound), nonspeech (sound
      that is not speech), wordless (speech, or a sound, without recognized words),
      pending (not transcribed yet), failed (the recognizer failed), gap (no audio:
      not recorded, damaged, or not begun yet). If there is a reason, it follows.
      The last lines are the total seconds of each state; they add up to the length
      of the recording. If words of a channel are echoes of another channel, a line
      after the totals says how many they are, and how many seconds they last.
      """,
    options: [.library, .reportJSON],
    examples: [
      .init(purpose: "Check the newest session for missing parts", command: "longhand coverage last")
    ])

  private struct Report: Encodable {
    var duration: TimeInterval
    var coverage: Coverage
    var spans: [CoverageSpan]
    var echo: Echo?

    struct Echo: Encodable {
      var seconds: TimeInterval
      var words: Int
    }
  }

  private let reference: SessionReference
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    reference = try SessionReference(arguments)
    isJSON = arguments.has(.reportJSON)
  }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    let (spans, duration) = (try library.coverageSpans(of: session), library.duration(of: session))
    let coverage = Coverage(spans)
    let echo = try Self.echo(in: library.store, of: session.id)
    if isJSON {
      let report = Report(duration: duration, coverage: coverage, spans: spans, echo: echo)
      try console.output.write(JSONLine.string(report) + "\n")
      return ExitStatus.done
    }
    for span in spans {
      let reason = span.reason.isEmpty ? "" : "  \(span.reason.escapingControls)"
      try console.output.write(
        "\(Self.seconds(span.start))  \(Self.seconds(span.end))  \(span.kind.rawValue)\(reason)\n")
    }
    let sums = [
      ("transcribed", coverage.transcribed), ("silent", coverage.silent),
      ("wordless", coverage.wordless), ("nonspeech", coverage.nonspeech), ("pending", coverage.pending),
      ("failed", coverage.failed),
      ("gaps", coverage.gaps), ("total", duration),
    ]
    try console.output.write("\n")
    for (name, value) in sums {
      try console.output.write(
        "\(name.padding(toLength: 11, withPad: " ", startingAt: 0)) \(Self.seconds(value))\n")
    }
    if let echo {
      try console.output.write(
        "echo        \(Self.seconds(echo.seconds))  \(echo.words) words of another channel\n")
    }
    return ExitStatus.done
  }

  /// The words that are echoes of another channel; nil if there are none.
  private static func echo(in store: TranscriptStore, of session: String) throws -> Report.Echo? {
    guard try !store.speakers(of: session).echoes.isEmpty else { return nil }
    let echo = try store.transcript(of: session).echo
    return echo.words > 0 ? Report.Echo(seconds: echo.seconds, words: echo.words) : nil
  }

  private static func seconds(_ seconds: TimeInterval) -> String { String(format: "%10.2f", seconds) }
}
