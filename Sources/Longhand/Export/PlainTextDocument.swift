/// `txt`: a segment a line; by word, `start end word` with tabs between, in seconds with three decimals.
struct PlainTextDocument {
  var wordTimestamps: Bool

  func string(for transcript: Transcript) -> String {
    verbatim(transcript) + (transcript.normalized.map(Self.labelled) ?? "")
  }

  /// A second text, after a blank line and a line that says what it is.
  private static func labelled(_ normalized: NormalizedTranscript) -> String {
    let terms = normalized.extractedTerms.map(LineText.of).joined(separator: ", ")
    return "\n[normalized by \(normalized.by.rawValue)]\n\(LineText.of(normalized.text))\n"
      + (terms.isEmpty ? "" : "[terms: \(terms)]\n")
  }

  private func verbatim(_ transcript: Transcript) -> String {
    transcript.segments.map { segment in
      let line = LineText.of(segment.text)
      guard !line.isEmpty else { return "" }
      let text = TimedText(segment)
      guard wordTimestamps, text.isTimed else { return line + "\n" }
      return text.pieces.map { "\($0.start.fixedSeconds)\t\($0.end.fixedSeconds)\t\($0.text)\n" }.joined()
    }.joined()
  }
}
