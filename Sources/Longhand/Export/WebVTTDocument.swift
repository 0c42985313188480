import Foundation

/// `vtt`: WebVTT (<https://www.w3.org/TR/webvtt1/>).
///
/// `&`, `<` and `>` are escaped, so that no text holds a tag or `-->`. By word, a timestamp tag stands before each word
/// that begins later than the caption and the word before it, as section 4.2.2 demands.
struct WebVTTDocument {
  var layout: CaptionLayout
  var wordTimestamps: Bool

  func string(for transcript: Transcript) -> String {
    let captions = CaptionWriter(layout: layout).captions(of: transcript)
    return "WEBVTT\n" + captions.map { "\n" + block($0) }.joined()
  }

  private func block(_ caption: Caption) -> String {
    var text = "\(caption.start.clock(fraction: ".")) --> \(caption.end.clock(fraction: "."))\n"
    var latest = caption.start
    for line in caption.lines {
      for (index, piece) in line.enumerated() {
        if index > 0, piece.isSpaced { text += " " }
        if wordTimestamps, piece.start > latest, piece.start < caption.end {
          text += "<\(piece.start.clock(fraction: "."))>"
          latest = piece.start
        }
        text += Self.escaped(piece.text)
      }
      text += "\n"
    }
    return text
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}
