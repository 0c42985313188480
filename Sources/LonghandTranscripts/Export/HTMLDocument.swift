import Foundation

/// `html`: one page without scripts or other files. Each paragraph starts with its time, a link into the audio.
///
/// The link is the name of the source with a media fragment (`talk.wav#t=12.3`, W3C Media Fragments), so that it works
/// where the page lies beside the recording.
struct HTMLDocument {
  func string(for transcript: Transcript) -> String {
    let heading = DocumentHeading(transcript)
    let title = MarkupText.escaped(heading.title)
    let facts = MarkupText.escaped(heading.facts.joined(separator: " · "))
    let paragraphs = transcript.timedParagraphs.map { paragraph in
      let time = Milliseconds(seconds: paragraph.start)
      let target = MarkupText.escaped(MarkupText.link(to: transcript.source, at: time))
      let name =
        paragraph.speaker.map { "<b class=\"speaker\">\(MarkupText.escaped(LineText.of($0))):</b> " } ?? ""
      let kind = paragraph.isRemark ? "remark" : "said"
      return
        "<p class=\"\(kind)\"\(Self.direction(of: paragraph.text))><a href=\"\(target)\">\(time.clock)</a> \(name)"
        + "\(Self.text(paragraph.text))</p>\n"
    }
    return """
      <!DOCTYPE html>
      <html lang="\(MarkupText.escaped(LineText.of(transcript.locale)))">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>
      body { max-width: 42em; margin: 2em auto; padding: 0 1em; font: 1em/1.5 sans-serif; }
      a { color: #595959; font-size: 0.85em; font-variant-numeric: tabular-nums; text-decoration: none; }
      a:hover { text-decoration: underline; }
      .facts, .remark { color: #595959; }
      .remark { font-style: italic; }
      @media (min-width: 50em) {
        .said, .remark { position: relative; padding-inline-start: 6em; }
        .said a, .remark a { position: absolute; inset-inline-start: 0; line-height: 1.75; }
      }
      </style>
      </head>
      <body>
      <h1>\(title)</h1>
      <p class="facts">\(facts)</p>
      \(paragraphs.joined())\(transcript.normalized.map(Self.labelled) ?? "")\(transcript.translation.map(Self.labelled) ?? "")</body>
      </html>

      """
  }

  /// Text in the direction of its own writing, whatever is beside it.
  private static func text(_ text: String) -> String {
    "<span dir=\"auto\">\(MarkupText.escaped(text))</span>"
  }

  /// The direction of a paragraph, where that is not the usual one.
  private static func direction(of text: String) -> String { text.isRightToLeft ? " dir=\"rtl\"" : "" }

  private static func labelled(_ translation: Translation) -> String {
    "<h2>\(MarkupText.escaped(LineText.of(translation.label)))</h2>\n"
      + "<p lang=\"en\">\(text(LineText.of(translation.text)))</p>\n"
  }

  /// The normalized text, under a heading that names it.
  private static func labelled(_ normalized: NormalizedTranscript) -> String {
    let terms = normalized.extractedTerms.map { MarkupText.escaped(LineText.of($0)) }.joined(separator: ", ")
    return "<h2>Normalized by \(normalized.by.rawValue)</h2>\n"
      + "<p>\(text(LineText.of(normalized.text)))</p>\n"
      + (terms.isEmpty ? "" : "<p>Terms: \(terms)</p>\n")
  }
}

/// Text in HTML and XML.
package enum MarkupText {
  /// The text as character data, also inside quotes.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      // Not characters of XML.
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// The address of a time in the recording beside the document (RFC 3986, W3C Media Fragments).
  package static func link(to source: String, at time: Milliseconds) -> String {
    "\(link(to: source))#t=\(time.fixedSeconds)"
  }

  /// The address of the recording beside the document.
  static func link(to source: String) -> String {
    let name = source.split(separator: "/").last.map { LineText.of(String($0)) } ?? ""
    return name.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}
