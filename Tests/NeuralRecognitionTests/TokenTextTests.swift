import Testing

@testable import NeuralRecognition

@Suite struct SpokenLettersTests {
  private func letters(_ tokens: [String]) -> SpokenLetters {
    var letters = SpokenLetters()
    for token in tokens { letters.append(Array(token.utf8)) }
    return letters
  }

  @Test(arguments: [
    ([" Two", "-", "day", "."], [" two", " day"], true),
    ([" boys", "'", " plays"], [" boys", " plays"], true),
    ([" he", "’", "s"], [" he", "'s"], true), ([" a", " —", " b"], [" a", ",", " b"], true),
    ([" every", " day"], [" everyday"], false), ([" boy", "'s"], [" boys"], false),
    ([" 5", "%"], [" 5"], false), ([" é"], [" e"], false), ([], [" ", "."], true),
  ])
  func marksAndCapitalsDoNotCount(_ one: [String], _ other: [String], _ areEqual: Bool) {
    #expect((letters(one) == letters(other)) == areEqual)
  }
}

@Suite struct TokenTimesTests {
  private let times = [0.0, 1, 2, 4, 5]

  @Test(
    arguments: [
      ([1, 2, 3, 4], [0, 1, 2, 4, 5]), ([1, 9, 3, 4], [0, 1, 2, 4, 5]),
      ([1, 8, 9, 3, 4], [0, 1, 1.5, 2, 4, 5]),
      ([1, 2, 9, 3, 4], [0, 1, 2, 2, 4, 5]), ([1, 4], [0, 4, 5]), ([1, 2, 3, 4, 9], [0, 1, 2, 4, 5, 5]),
      ([7, 8], [0, 2.5, 5]), ([], [5]),
    ] as [([Int], [Double])])
  func equalTokensHaveEqualTimesAndOthersShareTheTimeBetween(_ tokens: [Int], _ expected: [Double]) {
    #expect(TokenTimes.times(times, of: [1, 2, 3, 4], for: tokens) { _ in 3 } == expected)
  }

  @Test func longTokensHaveMoreTime() {
    #expect(TokenTimes.times([0, 4], of: [0], for: [1, 3]) { $0 } == [0, 1, 4])
  }

  @Test func timesAreInOrderAndInside() {
    var state: UInt32 = 7
    func random(_ count: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 16) % count
    }
    for _ in 0..<500 {
      let tokens = (0..<random(12)).map { _ in random(5) }, others = (0..<random(12)).map { _ in random(5) }
      var times = [Double(random(3))]
      for _ in tokens { times.append(times[times.count - 1] + Double(random(3))) }
      let found = TokenTimes.times(times, of: tokens, for: others) { $0 }
      #expect(found.count == others.count + 1)
      #expect(zip(found, found.dropFirst()).allSatisfy { $0 <= $1 }, "\(tokens) \(others) \(times) \(found)")
      #expect(found.allSatisfy { (times[0]...times[times.count - 1]).contains($0) })
    }
  }
}

@Suite struct PhraseTrieTests {
  private static let tokens = [
    " Win", "aw", "er", " variation", ",", " win", " the", "'s", " New", " York", " City", "s",
  ]
  private let trie = PhraseTrie(
    ["Winawer variation", "New York", "New York City"], weight: 1,
    tokens: TokenSpellings(tokens.map { Array($0.utf8) }))

  /// The bonus of a text, at its end.
  private func bonus(_ text: [String]) -> Float {
    bonus(text.map { Self.tokens.firstIndex(of: $0) ?? 0 }, trie)
  }

  private func bonus(_ text: [Int], _ trie: PhraseTrie) -> Float {
    var place = PhraseTrie.Place()
    var sum: Float = 0
    for token in text {
      let step = trie.next(place, token)
      sum += step.bonus
      place = step.place
    }
    return sum + trie.end(place).bonus
  }

  /// Each byte is a token.
  private func bonus(_ text: String, of phrases: [String]) -> Float {
    let bytes = TokenSpellings((0...UInt8.max).map { [$0] })
    return bonus(text.utf8.map { Int($0) }, PhraseTrie(phrases, weight: 1, tokens: bytes))
  }

  /// The rows have texts that have a phrase in them, and others.
  @Test(arguments: [
    (["砸自己"], ["砸自己", "他砸自己的脚", "他说：砸自己"], ["砸", "砸自", "他砸自", "自己", "砸他自己"]),
    // Written as the model writes: 腳 for 脚.
    (["自己的脚"], ["自己的腳", "砸自己的脚。"], ["自己的"]), (["自己的腳"], ["自己的脚"], ["自己的月"]),
    (["กรุงเทพ"], ["ไปกรุงเทพครับ"], ["ไปกรุง"]), (["ライラ"], ["プライライラを"], ["プライを"]),
    // Half of a writing with spaces.
    (["Python入門"], [" python入門書"], [" cpython入門"]),
    (["Ивана"], [" Ивана", " ивана."], [" Иванам", "иИвана"]),
  ])
  func writingWithoutSpacesHasPhrasesAnywhere(_ phrases: [String], _ with: [String], _ without: [String]) {
    for text in with { #expect(bonus(text, of: phrases) > 0.5, "\(text)") }
    for text in without { #expect(abs(bonus(text, of: phrases)) < 1e-5, "\(text)") }
  }

  @Test func phrasesInWritingWithoutSpacesMayOverlap() {
    let both = bonus("他砸自己的脚了", of: ["砸自己", "自己的脚"])
    let each = bonus("砸自己", of: ["砸自己"]) + bonus("自己的脚", of: ["自己的脚"])
    #expect(abs(both - each) < 1e-5)
  }

  @Test func wholePhrasesKeepTheirBonus() {
    let whole = bonus([" Win", "aw", "er", " variation"])
    #expect(whole > 0)
    #expect(bonus([" win", "aw", "er", ",", " variation", ","]) == whole)
    #expect(bonus([" the", " Win", "aw", "er", " variation", "'s", " the"]) == whole)
    #expect(
      abs(
        bonus([" New", " York", " the"]) + whole - bonus([" New", " York", " win", "aw", "er", " variation"]))
        < 1e-5)
    #expect(bonus([" New", " York", " City"]) > bonus([" New", " York"]))
    #expect(bonus([" New", " win", "aw", "er", " variation"]) == whole)
  }

  @Test func partsOfPhrasesHaveNoBonus() {
    for text in [
      [" Win"], [" win", " the"], [" Win", "aw", "er"], [" New", " York", "s"], [" New", " the", " York"],
    ] {
      #expect(abs(bonus(text)) < 1e-5, "\(text)")
    }
    // A phrase within a longer one that is not finished.
    #expect(abs(bonus([" New", " York", " the"]) - bonus([" New", " York"])) < 1e-5)
  }

  @Test(arguments: [
    ("the Winawer variation.", "the Winawer* variation.*"),
    ("Winawer, variation's", "Winawer,* variation's*"),
    ("the Winawer", "the Winawer"), ("Winawer variations", "Winawer variations"), ("", ""),
    ("A New York City street in New York", "A New* York* City* street in New* York*"),
    ("new-york is New Yorker", "new-york* is New Yorker"),
  ])
  func wordsOfWholePhrasesAreKnown(_ text: String, _ expected: String) {
    let words = text.split(separator: " ").map(String.init)
    let found = trie.areOfPhrases(words)
    let marked = zip(words, found).map { $1 ? $0 + "*" : $0 }.joined(separator: " ")
    #expect(marked == expected)
  }

  /// Vocabularies and models write one apostrophe or the other.
  @Test(arguments: ["O’Brien", "O'Brien", "L’Oréal", "Об’єкт"]) func anApostropheHasTwoForms(_ phrase: String)
  {
    let other = phrase.contains("’") ? ("’", "'") : ("'", "’")
    let written = phrase.replacing(other.0, with: other.1)
    let spellings = TokenSpellings([Array(" \(written)".utf8)])
    let trie = PhraseTrie([phrase], weight: 1, tokens: spellings)
    #expect(trie.areOfPhrases(["say", written, phrase]) == [false, true, true])
    #expect(trie.next(PhraseTrie.Place(), 0).bonus > 0)
  }

  @Test func wordsOfPhrasesInWritingWithoutSpacesAreKnown() {
    let trie = PhraseTrie(["砸自己", "ไป"], weight: 1, tokens: TokenSpellings([]))
    #expect(trie.areOfPhrases(["他", "砸", "自己", "的", "脚。"]) == [false, true, true, false, false])
    #expect(trie.areOfPhrases(["砸", "他", "自己"]) == [false, false, false])
    #expect(trie.areOfPhrases(["ผม", "ไป", "a", "ไป"]) == [false, true, false, true])
  }

  @Test func tokensThatGoOnInAPhraseAreFound() {
    let all: (PhraseTrie.Place) -> [String] = { place in
      self.trie.tokens(after: place) { _, _ in true }.map { Self.tokens[$0] }.sorted()
    }
    #expect(all(PhraseTrie.Place()) == [" New", " Win", " win"])
    #expect(all(trie.next(PhraseTrie.Place(), 0).place) == [" New", " Win", " win", "aw"])
  }
}

@Suite struct DomainPhrasesTests {
  @Test func phrasesAreLongEnoughAndSpoken() {
    let model = """
      \\data\\
      ngram 1=4
      \\1-grams:
      -6.7\t<unk>\t3.0
      -5.0\twinawer\t1.3
      -4.0\ta\t1.5
      \\2-grams:
      -1.0\t<s> winawer\t0
      -1.0\tpawn to\t0
      -1.0\tdark roast\t0
      \\3-grams:
      -0.5\ta dark roast
      \\end\\
      """
    let domain = DomainPhrases(arpa: model)
    #expect(domain.phrases == ["winawer", "dark roast", "a dark roast"])
    #expect(domain.haveAllWords(of: " A Winawer, 16."))
    #expect(!domain.haveAllWords(of: " A winner."))
    #expect(DomainPhrases(arpa: "no model\n1 2 3").phrases.isEmpty)
  }

  /// A word of two Chinese characters is as long as one of five letters.
  @Test func phrasesInWritingWithoutSpacesAreShorter() {
    let words = ["北京", "京", "かな", "ライラ", "ไป", "กรุงเทพ", "тест", "слово"]
    let model = words.reduce("\\1-grams:\n") { $0 + "-5.0\t\($1)\t1.3\n" } + "\\end\\"
    #expect(DomainPhrases(arpa: model).phrases == ["北京", "ライラ", "กรุงเทพ", "слово"])
  }
}
