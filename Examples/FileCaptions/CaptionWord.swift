import Speech

/// What is written between two spaces, and when it is said.
struct CaptionWord {
  var text: String
  /// Nil if the transcriber gave no time.
  var range: CMTimeRange?

  /// The words of a result. A run may hold a word, a part of one, such as a mark, or only the space between two.
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
