import Foundation
import Longhand

/// Segments of made-up words, which are as frequent as words of a language are: the nth as 1 / n (Zipf).
struct TalkGenerator {
  private let words: [String]
  private var random = SeededGenerator(seed: 1)

  init(wordCount: Int) {
    var random = SeededGenerator(seed: 2)
    let letters = Array("eeeeettttaaaooiinnsshhrrdlcumwfgypbvk")
    words = (0..<wordCount).map { rank in
      // Frequent words are short.
      let length = 1 + Int(log2(Double(rank + 2))) / 2 + Int.random(in: 0...3, using: &random)
      return String((0..<length).compactMap { _ in letters.randomElement(using: &random) })
    }
  }

  /// The inverse of 1 / n's sum, nearly.
  mutating func word() -> String {
    let place = exp(Double.random(in: 0..<1, using: &random) * log(Double(words.count)))
    return words[Int(place) - 1]
  }

  /// Five readings of about twelve words.
  mutating func segment(_ id: Int) -> Segment {
    let start = Double(id) * 6
    var said = (0..<Int.random(in: 8...16, using: &random)).map { _ in word() }
    let candidates = (0..<5).map { _ in
      let words = said.enumerated().map { index, text in
        let begin = start + Double(index) * 0.35
        return Word(
          text: text, start: begin, end: begin + 0.3, confidence: Double.random(in: 0..<1, using: &random))
      }
      said[Int.random(in: said.indices, using: &random)] = word()
      return Candidate(
        text: words.map(\.text).joined(separator: " "), words: words,
        confidence: Double.random(in: 0..<1, using: &random))
    }
    return Segment(id: id, start: start, end: start + 5.8, candidates: candidates)
  }

  /// One to three words, of which the last is often only begun.
  mutating func query() -> String {
    var words = (0..<Int.random(in: 1...3, using: &random)).map { _ in word() }
    let last = words.removeLast()
    words.append(Bool.random(using: &random) ? last : String(last.prefix(max(1, last.count - 2))))
    return words.joined(separator: " ")
  }
}
