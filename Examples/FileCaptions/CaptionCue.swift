import Speech

/// A caption of WebVTT (<https://www.w3.org/TR/webvtt1/>): from the first word of a result to its last.
struct CaptionCue {
  /// The most characters of a line.
  static let lineWidth = 42

  let start: CaptionTime
  let end: CaptionTime
  private let words: [CaptionWord]

  /// The caption of a final result; nil if nothing was said, or nobody knows when.
  init?(_ text: AttributedString) {
    words = CaptionWord.words(of: text)
    guard let first = words.lazy.compactMap(\.range).first, let last = words.compactMap(\.range).last else {
      return nil
    }
    start = CaptionTime(first.start)
    // A caption that ends when it begins is not valid.
    end = max(CaptionTime(last.end), CaptionTime(milliseconds: start.milliseconds + 1))
  }

  /// The caption as it stands in a file: a line of times, and the lines of its text.
  var block: String {
    var block = "\(start) --> \(end)\n"
    var width = 0
    var latest = start
    for word in words {
      if width > 0 {
        let fits = width + 1 + word.text.count <= Self.lineWidth
        block += fits ? " " : "\n"
        width = fits ? width + 1 : 0
      }
      // The times within a caption lie between its ends, and each is later than the one before.
      if let time = word.range.map({ CaptionTime($0.start) }), latest < time, time < end {
        block += "<\(time)>"
        latest = time
      }
      block += Self.escaped(word.text)
      width += word.text.count
    }
    return block + "\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}
