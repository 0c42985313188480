/// A segment as it is shown to people and programs.
package struct ShownSegment: Sendable {
  /// The number in the order, from 0.
  package var number: Int
  /// As it is stored, with its speaker.
  package var segment: Segment
  /// The same written in sentences.
  package var written: Segment
  /// Its second text; nil if that does not differ.
  package var normalized: NormalizedTranscript?
  /// Whether a paragraph begins with it.
  package var beginsParagraph: Bool

  package init(
    number: Int, segment: Segment, written: Segment, normalized: NormalizedTranscript?, beginsParagraph: Bool
  ) {
    (self.number, self.segment, self.written) = (number, segment, written)
    (self.normalized, self.beginsParagraph) = (normalized, beginsParagraph)
  }
}

extension ShownSegment {
  /// The segment as readers see it, without words that are echoes of another channel; nil if nothing is left.
  package var withoutEcho: ShownSegment? {
    guard segment.words.contains(where: \.isEcho) else { return self }
    guard let said = segment.withoutEcho, let saidAndWritten = written.withoutEcho else { return nil }
    var rest = self
    (rest.segment, rest.written) = (said, saidAndWritten)
    let second = normalized?.withoutEcho(of: [segment])
    rest.normalized = second.flatMap { $0.spans.isEmpty && $0.occurrences.isEmpty ? nil : $0 }
    return rest
  }
}
