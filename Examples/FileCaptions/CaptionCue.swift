import CoreMedia
import Speech

/// A caption of WebVTT (<https://www.w3.org/TR/webvtt1/>), from the first to the last word of a result.
@available(macOS 26, iOS 26, *)
struct CaptionCue {
  /// The maximum number of characters in a line.
  static let lineWidth = 42

  let start: CaptionTime
  let end: CaptionTime
  private let words: [CaptionWord]

  /// Creates the caption of a final result; nil if it has no words or no times.
  init?(_ text: AttributedString) {
    words = CaptionWord.words(of: text)
    guard let first = words.lazy.compactMap(\.range).first, let last = words.compactMap(\.range).last else {
      return nil
    }
    start = CaptionTime(first.start)
    // A caption must end after it begins.
    end = max(CaptionTime(last.end), CaptionTime(milliseconds: start.milliseconds + 1))
  }

  /// The caption as written to a file: a line with its times, then the lines of its text.
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
      // A time within a caption must lie between its start and its end, and after the time before.
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

/// A word of a transcript with its time.
@available(macOS 26, iOS 26, *)
struct CaptionWord {
  var text: String
  /// Nil if the transcriber gave no time.
  var range: CMTimeRange?

  /// The words of a result. A run may be a word, a part of one such as a punctuation mark, or only a space.
  static func words(of text: AttributedString) -> [CaptionWord] {
    var words: [CaptionWord] = []
    var word = CaptionWord(text: "")
    for run in text.runs {
      for character in text[run.range].characters {
        if character.isWhitespace {
          if !word.text.isEmpty { words.append(word) }
          word = CaptionWord(text: "")
        } else {
          word.text.append(character)
          word.add(run.audioTimeRange)
        }
      }
    }
    return word.text.isEmpty ? words : words + [word]
  }

  private mutating func add(_ other: CMTimeRange?) {
    guard let other else { return }
    range = range.map { $0.union(other) } ?? other
  }
}

/// A time in WebVTT: whole milliseconds.
struct CaptionTime: Comparable, CustomStringConvertible {
  let milliseconds: Int

  init(milliseconds: Int) { self.milliseconds = milliseconds }

  init(_ time: CMTime) { milliseconds = Int((time.seconds * 1000).rounded()) }

  static func < (a: CaptionTime, b: CaptionTime) -> Bool { a.milliseconds < b.milliseconds }

  var description: String {
    let seconds = milliseconds / 1000
    return String(
      format: "%02d:%02d:%02d.%03d", seconds / 3600, seconds / 60 % 60, seconds % 60, milliseconds % 1000)
  }
}
