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
    #expect(
      unmarked.words(tokens(("yes", 0), ("no", 0.2), (".", 0.4)), duration: 1).map(\.text) == ["yes", "no."])
  }

  @Test func chineseAmongMarkedTokensIsSplit() {
    let words = marked.words(
      tokens((" he", 0), ("llo", 0.1), ("世", 0.3), ("界", 0.5), (" ok", 0.7)), duration: 1)
    #expect(words.map(\.text) == ["hello", "世界", "ok"])
    #expect(words[1].start == 0.3)
  }

  /// Writing without spaces has the words of its dictionary, whatever the tokens are: parts of words, or several words. What is
  /// said later has later times.
  @Test(
    arguments: [
      (["ต่างมี", "เหตุผล", "และมโน", "ธรรม"], ["ต่าง", "มี", "เหตุผล", "และ", "มโนธรรม"]),
      (["在尊", "严和", "权", "利上", "，"], ["在", "尊严", "和", "权利", "上，"]),
      (["自由", "であり", "、平", "等。"], ["自由", "で", "あり、", "平等。"]),
      (["ມະນຸດທຸກ", "ຄົນ"], ["ມະນຸດ", "ທຸກຄົນ"]), (["មនុស្សទាំង", "អស់"], ["មនុស្ស", "ទាំងអស់"]),
      (["འགྲོ་བ", "་མི"], ["འགྲོ་", "བ་", "མི"]),
    ], [true, false])
  func writingWithoutSpacesHasItsWords(_ row: (tokens: [String], words: [String]), hasMarks: Bool) {
    let list = RecognizedTokens(
      tokens: row.tokens.enumerated().map {
        Token(bytes: Array($1.utf8), start: 0.5 + Double($0), logProbability: -Double($0) / 10)
      })
    let words = WordAssembly(hasMarks: hasMarks).words(list, duration: 8)
    #expect(words.map(\.text) == row.words)
    #expect(words.first?.start == 0.5)
    for (one, next) in zip(words, words.dropFirst()) {
      #expect(one.start < next.start)
      #expect(one.end <= next.start)
    }
    #expect(words.last?.confidence == words.compactMap(\.confidence).min())
  }

  /// In Thai a space is between phrases, and says as much as a mark.
  @Test func spacesBetweenPhrasesAreKept() {
    let words = marked.words(tokens((" สวัสดี", 0), ("ครับ", 0.4), (" ต่างมี", 0.9)), duration: 2)
    #expect(words.map(\.text) == ["สวัสดี", "ครับ", "ต่าง", "มี"])
    #expect(words.map(\.isSpaced) == [true, nil, true, nil])
  }

  @Test func specialTokensAndControlCharactersAreNoWords() {
    let words = marked.words(
      tokens(("<unk>", 0), ("<|en|>", 0), ("<blk>", 0.1), (" a\u{7}b", 0.2), ("<s>", 0.3), (" ", 0.4)),
      duration: 1)
    #expect(words.map(\.text) == ["ab"])
  }

  /// Networks for Hebrew, Arabic and Persian write marks of direction, also as tokens of their own. A client refuses them.
  @Test(arguments: [
    ([" \u{202B}", "שלום", "\u{202C}", " עולם."], ["שלום", "עולם."]),
    ([" \u{2067}مر", "حبا\u{2069}،", " \u{202A}", " بك"], ["مرحبا،", "بك"]),
    ([" می\u{200C}خواهم", " \u{200B}", " برو"], ["می\u{200C}خواهم", "برو"]),
    ([" plain", " text."], ["plain", "text."]),
  ]) func marksOfDirectionAreNoPartOfWords(_ row: (tokens: [String], words: [String])) throws {
    let list = RecognizedTokens(
      tokens: row.tokens.enumerated().map { Token(bytes: Array($1.utf8), start: Double($0) / 4) })
    let words = marked.words(list, duration: 2)
    #expect(words.map(\.text) == row.words)
    let checked = try ServiceHypothesis.checked([ServiceHypothesis(words: words, source: .best)], duration: 2)
    #expect(checked.first?.words.map(\.text) == row.words)
  }

  @Test func aWordIsNotLongerThanAClientTakes() throws {
    let list = RecognizedTokens(
      tokens: (0..<400).map {
        Token(bytes: Array((["ა", "б", "a"][$0 % 3] + "ა").utf8), start: Double($0) / 100)
      })
    let words = marked.words(list, duration: 5)
    #expect(words.map(\.text).joined().utf8.count == list.tokens.reduce(0) { $0 + $1.bytes.count })
    #expect(words.count == 3)
    #expect(throws: Never.self) {
      try ServiceHypothesis.checked([ServiceHypothesis(words: words, source: .best)], duration: 5)
    }
  }

  /// Marks of every writing are not said: they change neither the confidence nor the length of a word.
  @Test func marksAreNotSaid() {
    for mark in [".", ",", "?!", "\"", "'", "(", "-", "。", "，", "、", "؟", "،", "।", "…", "»", "”", "—"] {
      #expect(Array(mark.utf8).isMark, "\(mark)")
    }
    for other in [
      "", " .", "a", "&", "@", "%", "/", "*", "#", "$", "+", "ー", "々", "م", "一", "5", "°", "「", "«", "“", "¿",
    ] {
      #expect(!Array(other.utf8).isMark, "\(other)")
    }
    #expect(![UInt8]([0xE3, 0x80]).isMark)
  }

  @Test func aSpaceWithoutALineEndBeginsAWord() {
    let words = marked.words(
      tokens((" vous", 0), ("\u{A0}allez", 0.4), ("\u{A0}?", 0.8), ("\u{202F}oui", 1)), duration: 2)
    #expect(words.map(\.text) == ["vous", "allez?", "oui"])
  }

  @Test func aBrokenCharacterTakesNoWordWithIt() {
    for word in [" hello", " привет", " 你好"] {
      let broken = RecognizedTokens(tokens: [
        .init(bytes: Array(" a".utf8) + [0xE4], start: 0), .init(bytes: Array(word.utf8), start: 0.5),
      ])
      #expect(marked.words(broken, duration: 1).map(\.text) == ["a", String(word.dropFirst())])
    }
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

  @Test func theSecondNetworkIsAsSureOfAWordAsOfItsLeastSureToken() throws {
    var list = tokens((" a", 0), ("b", 0.1), ("c", 0.2), (" d", 0.3), logs: [0, 0, 0, 0])
    list.tokens[0].secondLogProbability = -0.1
    list.tokens[2].secondLogProbability = -1
    let words = marked.words(list, duration: 1)
    #expect(try abs(#require(words[0].second) - 0.36788) < 0.001)
    #expect(words[1].second == nil)
    #expect(words.map(\.confidence) == [1, 1])
  }

  @Test func withoutProbabilitiesThereIsNoConfidence() {
    let words = marked.words(tokens((" a", 0), ("b", 0.1)), duration: 1)
    #expect(words[0].confidence == nil)
    #expect(ServiceHypothesis(words: words, source: .best).confidence == nil)
  }
}
