import Foundation
import SentenceFormatting

/// A segment's text split into tokens, each with its time.
struct TimedText {
  /// One word as it is in the text, with its punctuation.
  struct Token: Hashable {
    var text: String
    /// Whether a space comes before it; languages without spaces have tokens without one.
    var isSpaced: Bool
    var start: Milliseconds
    var end: Milliseconds
    /// Nil if the recognizer reports none.
    var confidence: Double?
    /// Nil where it was not measured.
    var voice: WordVoice?
    /// Nil where no punctuation model was asked.
    var marks: WordMarks?
  }

  /// The tokens with the spaces between them.
  static func text(_ tokens: some Sequence<Token>) -> String {
    tokens.enumerated().map { ($0.offset > 0 && $0.element.isSpaced ? " " : "") + $0.element.text }.joined()
  }

  /// The tokens in order; joined with their spaces they are the segment's text.
  var tokens: [Token]
  /// Whether the times are the recognizer's; otherwise they are estimated from the lengths of the tokens.
  var isTimed: Bool

  init(_ segment: Segment) {
    let text = LineText.of(segment.text)
    let words = segment.words.filter { !LineText.of($0.text).isEmpty }
    let parts = text.split(separator: " ").map(String.init)
    if parts.count == words.count {
      // The usual case. It is also right if the text has capitals or punctuation that the words do not have.
      tokens = zip(parts, words).map { Self.token($0, isSpaced: true, of: $1) }
      isTimed = true
    } else if let found = Self.tokens(of: text, at: words) {
      tokens = found
      isTimed = true
    } else {
      tokens = Self.estimated(parts, in: segment)
      isTimed = false
    }
  }

  /// The tokens, joined where no line may break between them: characters of a word, in writing without spaces.
  var unbreakable: [Token] {
    let text = Self.text(tokens)
    guard text.isPartlyUnspaced else { return tokens }
    let starts = Set(text.writtenWords.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) })
    var (joined, offset): ([Token], Int) = ([], 0)
    for token in tokens {
      offset += joined.isEmpty || !token.isSpaced ? 0 : 1
      if let last = joined.last, !starts.contains(offset) {
        joined[joined.count - 1].text = Self.text([last, token])
        joined[joined.count - 1].end = token.end
      } else {
        joined.append(token)
      }
      offset += token.text.utf8.count
    }
    return joined
  }

  private static func token(_ text: String, isSpaced: Bool, of word: Word) -> Token {
    let start = Milliseconds(seconds: word.start)
    return Token(
      text: text, isSpaced: isSpaced, start: start, end: max(start, Milliseconds(seconds: word.end)),
      confidence: word.confidence, voice: word.voice, marks: word.marks)
  }

  /// Splits the text where the words start; nil unless all words are in it, in order, with only punctuation between them.
  private static func tokens(of text: String, at words: [Word]) -> [Token]? {
    guard !words.isEmpty else { return nil }
    let characters = Array(text)
    var starts: [Int] = []
    var position = 0
    for word in words {
      let wanted = Array(LineText.of(word.text))
      while !characters[position...].starts(with: wanted) {
        guard position < characters.count, !characters[position].isLetter, !characters[position].isNumber
        else {
          return nil
        }
        position += 1
      }
      starts.append(position)
      position += wanted.count
    }
    guard !characters[position...].contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    starts[0] = 0
    return words.indices.map { index in
      let end = index + 1 < starts.count ? starts[index + 1] : characters.count
      let slice = String(characters[starts[index]..<end])
      let isSpaced = index == 0 || characters[starts[index] - 1] == " "
      return token(LineText.of(slice), isSpaced: isSpaced, of: words[index])
    }
  }

  /// Divides the segment's time among the parts by their length.
  private static func estimated(_ parts: [String], in segment: Segment) -> [Token] {
    let total = Double(parts.reduce(0) { $0 + $1.count })
    let length = max(0, segment.end - segment.start)
    var passed = 0.0
    return parts.map { part in
      let start = segment.start + length * passed / total
      passed += Double(part.count)
      return Token(
        text: part, isSpaced: true, start: Milliseconds(seconds: start),
        end: Milliseconds(seconds: segment.start + length * passed / total), confidence: segment.confidence)
    }
  }
}
