/// `tsv`: the header `start end text`, then a segment (or a word) a row; whole milliseconds.
struct TabSeparatedDocument {
  var wordTimestamps: Bool

  func string(for transcript: Transcript) -> String {
    "start\tend\ttext\n" + transcript.segments.map(rows).joined()
  }

  private func rows(of segment: Segment) -> String {
    let line = LineText.of(segment.text)
    guard !line.isEmpty else { return "" }
    let text = TimedText(segment)
    if wordTimestamps, text.isTimed {
      return text.pieces.map { "\($0.start.count)\t\($0.end.count)\t\($0.text)\n" }.joined()
    }
    let start = Milliseconds(seconds: segment.start)
    return "\(start.count)\t\(max(start, Milliseconds(seconds: segment.end)).count)\t\(line)\n"
  }
}
