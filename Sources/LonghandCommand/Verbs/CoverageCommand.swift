import Foundation
import Longhand

/// `longhand coverage`: what became of every second.
struct CoverageCommand: Verb {
  static let description = VerbDescription(
    name: "coverage",
    summary: "Says what became of every second of a session",
    operands: "ID",
    discussion: """
      ID is a session's, the beginning of it, or 'last'. A line a stretch: from, to,
      what became of it, and why; then the sums. --json prints both.
      """,
    options: [.library, .reportJSON],
    examples: [.init(purpose: "was anything missed?", command: "longhand coverage last")])

  private struct Report: Encodable {
    var duration: TimeInterval
    var coverage: Coverage
    var spans: [CoverageSpan]
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
    if isJSON {
      let report = Report(duration: duration, coverage: coverage, spans: spans)
      try console.output.write(JSONLine.string(report) + "\n")
      return ExitStatus.done
    }
    for span in spans {
      let reason = span.reason.isEmpty ? "" : "  \(span.reason.escapingControls)"
      try console.output.write(
        "\(Self.seconds(span.start))  \(Self.seconds(span.end))  \(span.kind.rawValue)\(reason)\n")
    }
    let sums = [
      ("transcribed", coverage.transcribed), ("silent", coverage.silent), ("pending", coverage.pending),
      ("failed", coverage.failed), ("gaps", coverage.gaps), ("in all", duration),
    ]
    try console.output.write("\n")
    for (name, value) in sums {
      try console.output.write(
        "\(name.padding(toLength: 11, withPad: " ", startingAt: 0)) \(Self.seconds(value))\n")
    }
    return ExitStatus.done
  }

  private static func seconds(_ seconds: TimeInterval) -> String { String(format: "%10.2f", seconds) }
}
