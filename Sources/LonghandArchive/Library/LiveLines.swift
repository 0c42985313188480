import Foundation
import LonghandRecording
import LonghandTranscripts

/// `jsonl` of a live recording: one numbered object in each line.
package struct LiveLines: Sendable {
  private var sequence = 0
  /// Everything before this time has a line.
  private var position: TimeInterval = 0
  /// Whether audio without text since then may be something other than silence.
  private var isUnclear = false
  private let source: String

  /// Starts with line 0.
  /// - Parameter source: the name of the recording, which the first line has.
  package init(source: String) { self.source = source }

  /// The text so far of a segment that may still change.
  package mutating func partial(_ partial: TranscriptAccumulator.Partial, of segment: Int) -> String {
    line([
      TranscriptLine.Kind.partial.member, ("segment", .integer(segment)), ("start", .seconds(partial.start)),
      ("end", .seconds(partial.end)), ("is_final", .boolean(false)), ("text", .string(partial.text)),
    ])
  }

  /// A segment, and the silence before it if there is any.
  /// - Parameter normalized: its second text; nil if there is none.
  package mutating func final(_ segment: Segment, normalized: String? = nil) -> String {
    let silence = silence(until: segment.start)
    position = max(position, segment.end)
    isUnclear = false
    return silence
      + line(
        JSONLinesDocument(wordTimestamps: false).final(segment, number: segment.id)
          + (normalized.map { [("normalized", .string($0))] } ?? []))
  }

  /// The second text of a segment by the language model, which came after the segment.
  package mutating func normalized(_ normalized: NormalizedTranscript, of segment: Int) -> String {
    line([
      TranscriptLine.Kind.normalized.member, ("segment", .integer(segment)),
      ("text", .string(normalized.text)),
      ("extractedTerms", .array(normalized.extractedTerms.map(JSONValue.string))),
      ("by", .string(normalized.by.rawValue)),
    ])
  }

  /// A segment in English, which came after the segment.
  package mutating func translated(_ passage: Translation.Passage, of segment: Int) -> String {
    line([
      TranscriptLine.Kind.translated.member, ("segment", .integer(segment)),
      ("start", .seconds(passage.start)),
      ("end", .seconds(passage.end)), ("text", .string(passage.text)),
    ])
  }

  /// Speech without recognized words: silence with a reason.
  package mutating func wordless(_ range: ClosedRange<TimeInterval>, _ reason: String) -> String {
    let silence = silence(until: range.lowerBound)
    position = max(position, range.upperBound)
    return silence
      + line([
        TranscriptLine.Kind.silence.member, ("start", .seconds(range.lowerBound)),
        ("end", .seconds(range.upperBound)), ("reason", .string(reason)),
      ])
  }

  /// Audio that could not be captured.
  package mutating func gap(_ gap: RecordingGap, format: RecordingFormat) -> String {
    isUnclear = true
    return line(
      [
        TranscriptLine.Kind.gap.member, ("start", .seconds(format.seconds(gap.start))),
        ("end", .seconds(format.seconds(gap.start + gap.frames))), ("reason", .string(gap.reason.rawValue)),
      ] + (gap.channel.map { [("channel", .integer($0 + 1))] } ?? []))
  }

  /// Notes that the recognizer failed on a part, so that it is not reported as silence.
  package mutating func failed() { isUnclear = true }

  /// The level of the audio shortly before a time.
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
    let source = sequence == 0 ? [("source", JSONValue.string(source))] : []
    return JSONValue.object([("sequence", .integer(sequence))] + members + source).text + "\n"
  }
}
