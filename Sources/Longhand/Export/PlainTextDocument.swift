/// `txt`: a segment a line; by word, `start end word` with tabs between, in seconds with three decimals.
struct PlainTextDocument {
  var wordTimestamps: Bool

  func string(for transcript: Transcript) -> String {
    transcript.segments.map { segment in
      let line = LineText.of(segment.text)
      guard !line.isEmpty else { return "" }
      let text = TimedText(segment)
      guard wordTimestamps, text.isTimed else { return line + "\n" }
      return text.pieces.map { "\($0.start.fixedSeconds)\t\($0.end.fixedSeconds)\t\($0.text)\n" }.joined()
    }.joined()
  }
}
