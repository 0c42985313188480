/// `txt`: paragraphs of sentences, or one line for each segment; by word, `start end word` separated by tabs, in seconds
/// with three decimals.
struct PlainTextDocument {
  var wordTimestamps: Bool

  func string(for transcript: Transcript) -> String {
    verbatim(transcript) + (transcript.normalized.map(Self.labelled) ?? "")
      + (transcript.translation.map(Self.labelled) ?? "")
  }

  /// Sentences in paragraphs, with a blank line between them.
  static func paragraphs(of transcript: Transcript, marksWordless: Bool) -> String {
    transcript.paragraphs(marksWordless: marksWordless) { ($0.speaker.map { "\($0): " } ?? "") + $0.text }
      + (transcript.normalized.map(labelled) ?? "") + (transcript.translation.map(labelled) ?? "")
  }

  private static func labelled(_ translation: Translation) -> String {
    "\n[\(LineText.of(translation.label))]\n\(LineText.of(translation.text))\n"
  }

  /// The normalized text, after a blank line and a line that names it.
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
      guard wordTimestamps, text.isTimed else {
        return (transcript.speakerName(of: segment).map { "\(LineText.of($0)): " } ?? "") + line + "\n"
      }
      return text.tokens.map { "\($0.start.fixedSeconds)\t\($0.end.fixedSeconds)\t\($0.text)\n" }.joined()
    }.joined()
  }
}

/// `tsv`: the header `start end text`, then one row for each segment or word, in whole milliseconds.
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
      return text.tokens.map { "\($0.start.count)\t\($0.end.count)\t\(LineText.cell($0.text))\n" }.joined()
    }
    let start = Milliseconds(seconds: segment.start)
    return "\(start.count)\t\(max(start, Milliseconds(seconds: segment.end)).count)\t\(LineText.cell(line))\n"
  }
}

/// `ctm`: NIST's `file channel begin duration word confidence`, as its scoring toolkit reads it (SCTK, `ctm(5)`).
///
/// Seconds have three decimals, confidences four; an unknown one is `NA`. The file is the name of the source without its folder. White space in a
/// column becomes `_`. Times that are not known are estimated from the lengths of the words, because a scoring tool needs
/// the words.
struct TimeMarkedDocument {
  func string(for transcript: Transcript) -> String {
    let file = Self.file(transcript.source)
    return transcript.segments.flatMap { segment in
      TimedText(segment).tokens.map { ((segment.channel ?? 0) + 1, $0) }
    }.map { channel, token in
      let duration = Milliseconds(token.end.count - token.start.count)
      return
        "\(file) \(channel) \(token.start.fixedSeconds) \(duration.fixedSeconds) \(LineText.column(token.text)) "
        + "\(Self.confidence(token.confidence))\n"
    }.joined()
  }

  private static func confidence(_ confidence: Double?) -> String {
    guard let confidence else { return "NA" }
    let units = Decimals.units(of: min(confidence, 1), perOne: 10_000)
    return "\(units / 10_000).\(Decimals.padded(units % 10_000, to: 4))"
  }

  static func file(_ source: String) -> String {
    let name = LineText.column(source.split(separator: "/").last.map(String.init) ?? "")
    if name.isEmpty { return "audio" }
    // A line that starts with this is a comment.
    return name.hasPrefix(";;") ? "_" + name : name
  }
}
