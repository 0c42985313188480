import Foundation

/// `md`: paragraphs that start with their time as `[hh:mm:ss]`, for a session of the library under a heading.
///
/// Paragraphs end at pauses and ends of sentences, see `Paragraph`. Characters with a meaning in Markdown are escaped. Speech
/// without recognized words is a paragraph such as `[no words recognized 0:05–0:07]`.
struct MarkdownDocument {
  var marksWordless = true

  func string(for transcript: Transcript) -> String {
    heading(of: transcript)
      + transcript.paragraphs(marksWordless: marksWordless) {
        "[\(Milliseconds(seconds: $0.start).clock)] \(Self.escaped($0.speaker.map { "\($0): " } ?? ""))"
          + Self.escaped($0.text)
      } + (transcript.normalized.map(Self.labelled) ?? "")
      + (transcript.translation.map {
        "\n## \(Self.escaped(LineText.of($0.label)))\n\n\(Self.escaped(LineText.of($0.text)))\n"
      } ?? "")
  }

  /// The title and the facts, where more is known than the name of a file.
  private func heading(of transcript: Transcript) -> String {
    guard transcript.title != nil || transcript.date != nil else { return "" }
    let heading = DocumentHeading(transcript)
    return "# \(Self.escaped(heading.title))\n\n\(Self.escaped(heading.facts.joined(separator: " · ")))\n\n"
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
