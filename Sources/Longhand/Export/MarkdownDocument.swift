import Foundation

/// `md`: paragraphs that start with their time as `[hh:mm:ss]`.
///
/// A paragraph ends at a pause of two seconds, or with the first segment after a minute. Characters with a meaning in
/// Markdown are escaped. Speech without recognized words is a paragraph such as `[no words recognized 0:05–0:07]`.
struct MarkdownDocument {
  var marksWordless = true

  /// The seconds of silence that end a paragraph.
  private static let pause: TimeInterval = 2
  /// The seconds after which the next segment starts a new paragraph.
  private static let length: TimeInterval = 60

  func string(for transcript: Transcript) -> String {
    let marks = marksWordless ? transcript.spans.filter { $0.kind == .wordless } : []
    var paragraphs: [(start: TimeInterval, end: TimeInterval, texts: [String])] = []
    for segment in transcript.segments {
      let text = Self.escaped(LineText.of(segment.text))
      guard !text.isEmpty else { continue }
      if let last = paragraphs.last, segment.start - last.end < Self.pause,
        segment.start - last.start < Self.length,
        !marks.contains(where: { last.start <= $0.start && $0.start < segment.start })
      {
        paragraphs[paragraphs.count - 1].texts.append(text)
        paragraphs[paragraphs.count - 1].end = segment.end
      } else {
        paragraphs.append((segment.start, segment.end, [text]))
      }
    }
    let texts = paragraphs.map {
      ($0.start, "[\(Milliseconds(seconds: $0.start).clock)] \($0.texts.joinedWords())\n")
    }
    let verbatim = (texts + marks.map { ($0.start, "\($0.wordlessMark)\n") })
      .sorted { $0.0 < $1.0 }.map(\.1).joined(separator: "\n")
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
