import Foundation

/// `md`: paragraphs that start with their time as `[hh:mm:ss]`.
///
/// A paragraph ends at a pause of two seconds, or with the first segment after a minute. Characters with a meaning in
/// Markdown are escaped.
struct MarkdownDocument {
  /// The seconds of silence that end a paragraph.
  private static let pause: TimeInterval = 2
  /// The seconds after which the next segment starts a new paragraph.
  private static let length: TimeInterval = 60

  func string(for transcript: Transcript) -> String {
    var paragraphs: [(start: TimeInterval, end: TimeInterval, texts: [String])] = []
    for segment in transcript.segments {
      let text = Self.escaped(LineText.of(segment.text))
      guard !text.isEmpty else { continue }
      if let last = paragraphs.last, segment.start - last.end < Self.pause,
        segment.start - last.start < Self.length
      {
        paragraphs[paragraphs.count - 1].texts.append(text)
        paragraphs[paragraphs.count - 1].end = segment.end
      } else {
        paragraphs.append((segment.start, segment.end, [text]))
      }
    }
    let verbatim = paragraphs.map {
      "[\(Milliseconds(seconds: $0.start).clock)] \($0.texts.joined(separator: " "))\n"
    }.joined(separator: "\n")
    return verbatim + (transcript.normalized.map(Self.labelled) ?? "")
  }

  /// The normalized text, under a heading that names it.
  private static func labelled(_ normalized: NormalizedTranscript) -> String {
    let terms = normalized.extractedTerms.map { escaped(LineText.of($0)) }.joined(separator: ", ")
    return "\n## Normalized by \(normalized.by.rawValue)\n\n\(escaped(LineText.of(normalized.text)))\n"
      + (terms.isEmpty ? "" : "\nTerms: \(terms)\n")
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if "\\`*_[]<>&~|#".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
