import Foundation

/// `vtt`: WebVTT (<https://www.w3.org/TR/webvtt1/>).
///
/// `&`, `<` and `>` are escaped, so that no text has a tag or `-->`. By word, a timestamp tag comes before each word that
/// starts later than the caption and the word before it, as section 4.2.2 requires.
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
    for (number, line) in caption.lines.enumerated() {
      if let speaker = number == 0 ? caption.speaker : caption.other {
        text += "<v \(Self.annotation(speaker))>"
      }
      if caption.other != nil { text += "- " }
      for (index, token) in line.enumerated() {
        if index > 0, token.isSpaced { text += " " }
        if wordTimestamps, token.start > latest, token.start < caption.end {
          text += "<\(token.start.clock(fraction: "."))>"
          latest = token.start
        }
        text += Self.escaped(token.text)
      }
      text += "\n"
    }
    return text
  }

  /// A name in a voice span, which ends with the caption.
  private static func annotation(_ name: String) -> String { escaped(LineText.of(name)) }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}

/// `srt`: numbered captions, `hh:mm:ss,mmm --> hh:mm:ss,mmm`.
///
/// SubRip has no specification and no escapes, and players take much for markup. They do not show the text `<b>` or
/// `{\an8}`: in captions with such pairs, the full-width forms `＜ ＞ ｛ ｝` stand for the brackets, which look like them and
/// are the same characters under Unicode's compatibility normalization. `-->`, which readers take for a line of times,
/// becomes `-- >`.
struct SubRipDocument {
  var layout: CaptionLayout
  var wordTimestamps: Bool

  func string(for transcript: Transcript) -> String {
    let captions = CaptionWriter(
      layout: layout, isByWord: wordTimestamps, namesSpeakers: true
    ).captions(of: transcript)
    var last: String?
    return captions.enumerated().map { index, caption in
      let times = "\(caption.start.clock(fraction: ",")) --> \(caption.end.clock(fraction: ","))"
      var lines = caption.lines.map { TimedText.text($0) }
      for (number, speaker) in [caption.speaker, caption.other].enumerated()
      where lines.indices.contains(number) {
        guard let speaker else { continue }
        if speaker != last { lines[number] = "\(LineText.of(speaker)): \(lines[number])" }
        last = speaker
      }
      if caption.other != nil { lines = lines.map { "- \($0)" } }
      let text = lines.map { $0.replacingOccurrences(of: "-->", with: "-- >") + "\n" }.joined()
      return "\(index + 1)\n\(times)\n\(Self.withoutMarkup(text))"
    }.joined(separator: "\n")
  }

  /// The text of a caption, so that players show all of it. What they take for markup may go over several lines.
  private static func withoutMarkup(_ text: String) -> String {
    var text = text
    for (open, close, wideOpen, wideClose) in [("<", ">", "＜", "＞"), ("{", "}", "｛", "｝")] {
      guard let start = text.range(of: open), text[start.upperBound...].contains(close) else { continue }
      text = text.replacingOccurrences(of: open, with: wideOpen).replacingOccurrences(
        of: close, with: wideClose)
    }
    return text
  }
}
