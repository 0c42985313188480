import SentenceFormatting
import ScriptedSpeech
import Testing

/// Every word has a length.
@Suite struct TimedWordTests {
  private struct Said: TimedWord, Equatable {
    var text: String
    var start: Double
    var end: Double
  }

  private func said(_ list: [(String, Double, Double)]) -> [Said] {
    list.map { Said(text: $0.0, start: $0.1, end: $0.2) }
  }

  @Test func wordsOfWhispersAttentionGetTheTimeOfTheirNeighbors() {
    var words = said([
      ("We", 41, 41.2), ("got", 41.2, 41.556), ("him", 41.556, 41.556), ("in", 41.556, 41.7),
      ("the", 41.7, 41.7),
      ("bag.", 41.7, 43),
    ])
    words.giveLengths(within: 41...43)
    #expect(words.map(\.start).first == 41)
    #expect(words.map(\.end).last == 43)
    for word in words { #expect(word.end - word.start >= 0.1, "\(word)") }
    for (one, next) in zip(words, words.dropFirst()) { #expect(one.end <= next.start + 1e-9) }
  }

  @Test(
    arguments: [
      // A pause beside the word is used first.
      ([("one", 0.0, 1.0), ("two", 1.0, 1.0), ("three", 2.0, 3.0)], [0, 1, 2], [1, 1.18, 3]),
      ([("one", 0, 1), ("two", 2, 2), ("three", 2, 3)], [0, 1.82, 2], [1, 2, 3]),
      // Words of another length keep their times.
      ([("日本", 0, 0.5), ("は", 0.5, 0.9)], [0, 0.5], [0.5, 0.9]),
      ([("שלום", 0, 0.02), ("לך", 0.02, 0.9)], [0, 0.02], [0.02, 0.9]),
      // Nobody has room: all share it.
      ([("a", 0, 0), ("b", 0, 0), ("c", 0, 0), ("d", 0, 0)], [0, 0.1, 0.2, 0.3], [0.1, 0.2, 0.3, 0.4]),
      ([("слово", 3, 3)], [3], [3.3]),
    ] as [([(String, Double, Double)], [Double], [Double])])
  func wordsWithoutLength(_ list: [(String, Double, Double)], _ starts: [Double], _ ends: [Double]) {
    var words = said(list)
    let range = min(0, starts[0])...max(list.count == 4 ? 0.4 : 3.3, 0)
    words.giveLengths(within: range)
    for (word, (start, end)) in zip(words, zip(starts, ends)) {
      #expect(abs(word.start - start) < 0.001, "\(words)")
      #expect(abs(word.end - end) < 0.001, "\(words)")
    }
  }

  @Test func anyWordsAreInOrderWithinTheirRange() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let count = Int.random(in: 1...12, using: &generator)
      let length = Double.random(in: 0.02 * Double(count)...3, using: &generator)
      let texts = ["a", "слово", "日本", "ต่าง", "extraordinary", "של"]
      var words = (0..<count).map { _ in
        let start = Double.random(in: -1...4, using: &generator)
        return Said(
          text: texts[Int.random(in: 0..<texts.count, using: &generator)], start: start,
          end: start + Double.random(in: -0.2...0.3, using: &generator))
      }
      words.giveLengths(within: 0...length)
      var position = 0.0
      for word in words {
        #expect(word.start >= position - 1e-9)
        #expect(word.end - word.start >= 0.02 - 0.0006)
        position = word.end
      }
      #expect(position <= length + 1e-9)
    }
  }
}
