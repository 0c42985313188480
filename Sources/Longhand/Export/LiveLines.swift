import Foundation

/// `jsonl` of a recording that is being made: one object a line, numbered, valid at every prefix.
package struct LiveLines: Sendable {
  private var sequence = 0
  /// Everything before has a line.
  private var position: TimeInterval = 0
  /// Whether a stretch without text since then may be something else than silence.
  private var isUnclear = false

  /// No line yet.
  package init() {}

  /// What has been heard so far of a segment that may still change.
  package mutating func partial(_ partial: TranscriptAccumulator.Partial, of segment: Int) -> String {
    line([
      TranscriptLine.Kind.partial.member, ("segment", .integer(segment)), ("start", .seconds(partial.start)),
      ("end", .seconds(partial.end)), ("is_final", .boolean(false)), ("text", .string(partial.text)),
    ])
  }

  /// A segment, and the silence before it if there was some.
  package mutating func final(_ segment: Segment) -> String {
    let silence = silence(until: segment.start)
    position = max(position, segment.end)
    isUnclear = false
    return silence + line(JSONLinesDocument(wordTimestamps: false).final(segment))
  }

  /// A stretch that could not be captured.
  package mutating func gap(_ gap: RecordingGap, format: RecordingFormat) -> String {
    isUnclear = true
    return line([
      TranscriptLine.Kind.gap.member, ("start", .seconds(format.seconds(gap.start))),
      ("end", .seconds(format.seconds(gap.start + gap.frames))), ("reason", .string(gap.reason.rawValue)),
    ])
  }

  /// Somewhere the recognizer failed.
  package mutating func failed() { isUnclear = true }

  /// How loud the last moments up to a time were.
  package mutating func level(_ decibels: Double, at time: TimeInterval) -> String {
    line([TranscriptLine.Kind.level.member, ("end", .seconds(time)), ("dbfs", .decibels(decibels))])
  }

  /// The last line.
  package mutating func end(_ session: RecordedSession, _ coverage: Coverage) -> String {
    silence(until: session.duration)
      + line([
        TranscriptLine.Kind.end.member, ("end", .seconds(session.duration)), ("session", .string(session.id)),
        ("coverage", JSONDocument.coverage(coverage)),
      ])
  }

  private mutating func silence(until end: TimeInterval) -> String {
    guard !isUnclear, Milliseconds(seconds: end) > Milliseconds(seconds: position) else { return "" }
    return line([TranscriptLine.Kind.silence.member, ("start", .seconds(position)), ("end", .seconds(end))])
  }

  private mutating func line(_ members: [(key: String, value: JSONValue)]) -> String {
    defer { sequence += 1 }
    return JSONValue.object([("sequence", .integer(sequence))] + members).text + "\n"
  }
}
