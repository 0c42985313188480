import Foundation
import Longhand

/// Generates segments of random words with the frequencies of a language: the nth word has the frequency 1 / n (Zipf).
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

  /// A random word. Its rank is, nearly, the inverse of the sum of 1 / n.
  mutating func word() -> String {
    let rank = exp(Double.random(in: 0..<1, using: &random) * log(Double(words.count)))
    return words[Int(rank) - 1]
  }

  /// A segment with five candidates of about twelve words.
  /// - Parameter length: its length, in seconds.
  mutating func segment(_ id: Int, length: TimeInterval = 6) -> Segment {
    let start = Double(id) * length
    var said = (0..<Int.random(in: 8...16, using: &random)).map { _ in word() }
    let candidates = (0..<5).map { _ in
      let words = said.enumerated().map { index, text in
        let begin = start + Double(index) * 0.35 * length / 6
        return Word(
          text: text, start: begin, end: begin + 0.05 * length,
          confidence: Double.random(in: 0..<1, using: &random))
      }
      said[Int.random(in: said.indices, using: &random)] = word()
      return Candidate(
        text: words.map(\.text).joined(separator: " "), words: words,
        confidence: Double.random(in: 0..<1, using: &random))
    }
    return Segment(id: id, start: start, end: start + length * 5.8 / 6, candidates: candidates)
  }

  /// One to three words. The last one is often incomplete.
  mutating func query() -> String {
    var words = (0..<Int.random(in: 1...3, using: &random)).map { _ in word() }
    let last = words.removeLast()
    words.append(Bool.random(using: &random) ? last : String(last.prefix(max(1, last.count - 2))))
    return words.joined(separator: " ")
  }
}

/// Generates the same random numbers in every run: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
