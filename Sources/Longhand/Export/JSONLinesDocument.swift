import Foundation

/// `jsonl`: a finished transcript in the lines that live transcription prints, without partial results.
///
/// Types: `final` for a segment, `silence` for a part before, between or after segments, and one last `end` with the length
/// of the audio and its coverage. A transcript says how many seconds are pending, failed or missing, but not which. If
/// there are any, a part without text may be one of them, so no `silence` is written.
package struct JSONLinesDocument: Sendable {
  private let wordTimestamps: Bool
  private let alternatives: Int?

  /// - Parameters:
  ///   - wordTimestamps: whether `final` has the words with their times.
  ///   - alternatives: the most alternatives of a segment; nil for all.
  package init(wordTimestamps: Bool, alternatives: Int? = nil) {
    self.wordTimestamps = wordTimestamps
    self.alternatives = alternatives
  }

  func string(for transcript: Transcript) -> String { Self.numbered(lines(for: transcript), from: 0) }

  /// The line of a new segment; the segments before it have theirs already.
  package func line(for segment: Segment) -> String { Self.numbered([final(segment)], from: segment.id) }

  /// The lines after those of the segments: silence is known only at the end.
  package func rest(of transcript: Transcript) -> String {
    Self.numbered(lines(for: transcript, withFinals: false), from: transcript.segments.count)
  }

  private static func numbered(_ lines: [[(key: String, value: JSONValue)]], from first: Int) -> String {
    lines.enumerated().map { index, members in
      JSONValue.object([("sequence", .integer(first + index))] + members).text + "\n"
    }.joined()
  }

  private func lines(
    for transcript: Transcript, withFinals: Bool = true
  ) -> [[(key: String, value: JSONValue)]] {
    var lines: [[(key: String, value: JSONValue)]] = []
    var position = Milliseconds(0)
    let unknown = transcript.coverage.pending + transcript.coverage.failed + transcript.coverage.gaps
    let isSilenceKnown = Milliseconds(seconds: unknown).count == 0
    func silence(until end: TimeInterval) {
      guard isSilenceKnown, Milliseconds(seconds: end) > position else { return }
      lines.append([
        TranscriptLine.Kind.silence.member, ("start", .seconds(Double(position.count) / 1000)),
        ("end", .seconds(end)),
      ])
    }
    for segment in transcript.segments {
      silence(until: segment.start)
      if withFinals { lines.append(final(segment)) }
      position = max(position, Milliseconds(seconds: segment.end))
    }
    silence(until: transcript.duration)
    let warnings =
      transcript.warnings.isEmpty ? [] : [("warnings", JSONDocument.warnings(transcript.warnings))]
    lines.append(
      [
        TranscriptLine.Kind.end.member, ("end", .seconds(transcript.duration)),
        ("coverage", JSONDocument.coverage(transcript.coverage)),
      ] + warnings)
    return lines
  }

  func final(_ segment: Segment) -> [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = [
      TranscriptLine.Kind.final.member, ("segment", .integer(segment.id)), ("start", .seconds(segment.start)),
      ("end", .seconds(max(segment.start, segment.end))), ("is_final", .boolean(true)),
      ("text", .string(segment.text)),
    ]
    if wordTimestamps { members.append(("words", JSONDocument.words(segment.words))) }
    members.append(("alternatives", JSONDocument.alternatives(segment, atMost: alternatives)))
    return members
  }
}
