import RecognitionProtocol
import Testing

@testable import NeuralRecognition

@Suite struct WordAssemblyTests {
  private typealias Token = RecognizedTokens.Token

  private func tokens(_ list: (String, Double)..., durations: [Double]? = nil, logs: [Double]? = nil)
    -> RecognizedTokens
  {
    RecognizedTokens(
      tokens: list.enumerated().map { index, token in
        Token(
          bytes: Array(token.0.utf8), start: token.1, duration: durations?[index],
          logProbability: logs?[index])
      })
  }

  private let marked = WordAssembly(hasMarks: true)
  private let unmarked = WordAssembly(hasMarks: false)

  @Test(arguments: ["▁", " "]) func marksBeginWords(_ mark: String) {
    let words = marked.words(tokens(("\(mark)ze", 0.1), ("ro", 0.2), ("\(mark)no", 0.5)), duration: 2)
    #expect(words.map(\.text) == ["zero", "no"])
  }

  @Test func theFirstWordNeedsNoMark() {
    #expect(marked.words(tokens(("ro", 0), (" no", 0.5)), duration: 1).map(\.text) == ["ro", "no"])
  }

  @Test func punctuationStaysWithItsWord() {
    let words = marked.words(
      tokens((" Hello", 0), (",", 0.2), (" wor", 0.4), ("ld", 0.5), (" !", 0.6), ("\"", 0.7)), duration: 1)
    #expect(words.map(\.text) == ["Hello,", "world!\""])
  }

  @Test func tokensWithoutMarksAreWords() {
    #expect(unmarked.words(tokens(("你", 0), ("好", 0.2), ("。", 0.4)), duration: 1).map(\.text) == ["你", "好。"])
  }

  @Test func chineseAmongMarkedTokensIsSplit() {
    let words = marked.words(
      tokens((" he", 0), ("llo", 0.1), ("世", 0.3), ("界", 0.5), (" ok", 0.7)), duration: 1)
    #expect(words.map(\.text) == ["hello", "世", "界", "ok"])
  }

  @Test func specialTokensAndControlCharactersAreNoWords() {
    let words = marked.words(
      tokens(("<unk>", 0), ("<|en|>", 0), ("<blk>", 0.1), (" a\u{7}b", 0.2), ("<s>", 0.3), (" ", 0.4)),
      duration: 1)
    #expect(words.map(\.text) == ["ab"])
  }

  @Test func bytesAreJoinedToCharacters() {
    let bytes = marked.words(tokens((" f", 0), ("<0xC3>", 0.1), ("<0xBC>", 0.1), ("r", 0.2)), duration: 1)
    #expect(bytes.map(\.text) == ["für"])
    let halves = RecognizedTokens(tokens: [
      .init(bytes: [0x20, 0xE4, 0xBD], start: 0), .init(bytes: [0xA0], start: 0.1),
      .init(bytes: [0xFF], start: 0.2),
    ])
    #expect(marked.words(halves, duration: 1).map(\.text) == ["你"])
  }

  @Test func durationsEndWords() {
    let words = marked.words(
      tokens((" a", 0.1), ("b", 0.3), (" c", 1), durations: [0.2, 0.16, 0.3]), duration: 2)
    #expect(words[0].end == 0.3 + 0.16)
    #expect(words[1].end == 1.3)
  }

  @Test func withoutDurationsTheNextTokenEndsAWordButNotForLong() {
    let words = marked.words(tokens((" a", 0.1), (" b", 0.3), (" c", 1.5)), duration: 1.7)
    #expect(words.map(\.start) == [0.1, 0.3, 1.5])
    #expect(words.map(\.end) == [0.3, 0.8, 1.7])
  }

  @Test func timesAreInOrderAndInsideWhateverTheNetworkSays() {
    var state: UInt64 = 3
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 33) / Double(UInt32.max >> 1)
    }
    for _ in 0..<300 {
      let list = RecognizedTokens(
        tokens: (0..<Int(random() * 12)).map { _ in
          Token(
            bytes: Array((random() < 0.6 ? " a" : "b").utf8), start: random() * 5 - 1,
            duration: random() < 0.5 ? random() * 3 : nil, logProbability: -random())
        })
      let words = marked.words(list, duration: 3)
      #expect(throws: Never.self) {
        try ServiceHypothesis.checked([ServiceHypothesis(words: words, source: .best)], duration: 3)
      }
    }
  }

  @Test func wordsWithoutTimesAreSpreadOverTheSpeech() {
    let list = RecognizedTokens(
      tokens: ["a", "bbb", "cc"].map { .init(bytes: Array(" \($0)".utf8), start: nil) })
    let words = marked.words(list, duration: 4, speech: 1...3)
    #expect(words.first?.start == 1)
    #expect(words.last?.end == 3)
    #expect(words[0].end == words[1].start)
  }

  @Test func aWordIsAsSureAsItsLeastSureToken() throws {
    let words = marked.words(tokens((" a", 0), ("b", 0.1), (" c", 0.2), logs: [-0.1, -1, 0.4]), duration: 1)
    let first = try #require(words[0].confidence)
    #expect(abs(first - 0.36788) < 0.001)
    #expect(words[1].confidence == 1)
    let mean = try #require(ServiceHypothesis(words: words, source: .best).confidence)
    #expect(abs(mean - 0.68394) < 0.001)
  }

  @Test func withoutProbabilitiesThereIsNoConfidence() {
    let words = marked.words(tokens((" a", 0), ("b", 0.1)), duration: 1)
    #expect(words[0].confidence == nil)
    #expect(ServiceHypothesis(words: words, source: .best).confidence == nil)
  }
}
