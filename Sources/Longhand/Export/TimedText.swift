/// A segment's text in the pieces at which it may be parted, each with its time.
struct TimedText {
  /// One word as the text writes it, with its punctuation.
  struct Piece: Hashable {
    var text: String
    /// Whether a space stands before it; languages without spaces have pieces without.
    var isSpaced: Bool
    var start: Milliseconds
    var end: Milliseconds
    var confidence: Double
  }

  /// The pieces in order; joined with their spaces they are the segment's text.
  var pieces: [Piece]
  /// Whether the times are the recognizer's; otherwise they were estimated from the length of the pieces.
  var isTimed: Bool

  init(_ segment: Segment) {
    let text = LineText.of(segment.text)
    let words = segment.words.filter { !LineText.of($0.text).isEmpty }
    let tokens = text.split(separator: " ").map(String.init)
    if tokens.count == words.count {
      // The usual case, and right too where the text has capitals or punctuation that the words lack.
      pieces = zip(tokens, words).map { Self.piece($0, isSpaced: true, of: $1) }
      isTimed = true
    } else if let found = Self.pieces(of: text, at: words) {
      pieces = found
      isTimed = true
    } else {
      pieces = Self.estimated(tokens, in: segment)
      isTimed = false
    }
  }

  private static func piece(_ text: String, isSpaced: Bool, of word: Word) -> Piece {
    let start = Milliseconds(seconds: word.start)
    return Piece(
      text: text, isSpaced: isSpaced, start: start, end: max(start, Milliseconds(seconds: word.end)),
      confidence: word.confidence)
  }

  /// Parts the text where the words begin; nil unless all stand in it, in order, with nothing but punctuation between.
  private static func pieces(of text: String, at words: [Word]) -> [Piece]? {
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
      return piece(LineText.of(slice), isSpaced: isSpaced, of: words[index])
    }
  }

  /// Shares the segment's time among the tokens by their length.
  private static func estimated(_ tokens: [String], in segment: Segment) -> [Piece] {
    let total = Double(tokens.reduce(0) { $0 + $1.count })
    let length = max(0, segment.end - segment.start)
    var passed = 0.0
    return tokens.map { token in
      let start = segment.start + length * passed / total
      passed += Double(token.count)
      return Piece(
        text: token, isSpaced: true, start: Milliseconds(seconds: start),
        end: Milliseconds(seconds: segment.start + length * passed / total), confidence: segment.confidence)
    }
  }
}
