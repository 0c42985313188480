import Foundation
import Testing

@testable import NeuralRecognition

@Suite struct BeamSearchTests {
  /// The last one ends a text, and the space does not begin one.
  private static let words = [" more", " were", " Were", ",", " a", " day", " of", " rain", " ", ""]
  private let end = 9
  private var rules: TokenRules { TokenRules(end: end, notFirst: [8], maxTokens: 8) }

  private func tokens(_ text: String) -> [Int] {
    text.split(separator: "|").compactMap { Self.words.firstIndex(of: String($0)) }
  }

  private func text(_ tokens: [Int]) -> String { tokens.map { Self.words[$0] }.joined() }

  /// A row in which some tokens have a probability, and the others hardly any.
  private func row(_ likely: [String: Float]) -> [Float] {
    Self.words.map { word in likely[word].map { log($0) } ?? -20 }
  }

  /// A model that writes the words of a list, each of which has others beside it.
  private func model(_ places: [[String: Float]]) -> TokenModel {
    TokenModel { tokens in
      let words = tokens.filter { Self.words[$0] != "," }.count
      return self.row(words < places.count ? places[words] : ["": 0.9])
    }
  }

  private func found(
    _ model: TokenModel, beams: Int = 5, count: Int = 5, rules: TokenRules? = nil, phrases: [String] = []
  ) throws -> [TokenSequence] {
    let search = search(beams: beams, rules: rules, phrases: phrases)
    return try BeamSearch.texts(count, [search], first: model.first, at: 0, of: model)[0]
  }

  private func search(beams: Int = 5, rules: TokenRules? = nil, phrases: [String] = []) -> BeamSearch {
    let bytes = Self.words.map { Array($0.utf8) }
    let trie = phrases.isEmpty ? nil : PhraseTrie(phrases, weight: 1, tokens: TokenSpellings(bytes))
    return BeamSearch(.init(beams: beams), rules: rules ?? self.rules, phrases: trie) { bytes[$0] }
  }

  private func texts(_ found: [TokenSequence]) -> [String] { found.map { text($0.tokens) } }

  @Test(arguments: [1, 5]) func bestTokenIsTakenUntilTheEnd(_ beams: Int) throws {
    let model = model([[" a": 0.6, " of": 0.3], [" day": 0.7]])
    let best = try #require(try found(model, beams: beams).first)
    #expect(text(best.tokens) == " a day")
    #expect(best.logProbabilities == [0.6, 0.7, 0.9].map { log(Float($0)) })
    #expect(best.isComplete)
    #expect(model.steps.prefix(1) == [TokenStep(token: 4, position: 0)])
  }

  @Test func textDoesNotBeginWithASpaceAlone() throws {
    #expect(try texts(found(model([[" ": 0.6, " a": 0.2]]))) == [" a"])
  }

  @Test(arguments: [1, 5]) func silenceHasNoTokens(_ beams: Int) throws {
    let found = try found(model([["": 0.9]]), beams: beams)
    #expect(texts(found) == [""])
    #expect(found.first?.isComplete == true)
  }

  @Test func tokensThatDoNotEndAreCutAndIncomplete() throws {
    let found = try found(TokenModel { _ in self.row([" a": 0.8]) }, beams: 1)
    #expect(texts(found) == [String(repeating: " a", count: 8)])
    #expect(found.first?.logProbabilities.count == 8)
    #expect(found.first?.isComplete == false)
  }

  @Test func numbersThatAreNoneAreNotTaken() throws {
    let none = [Float](repeating: .nan, count: Self.words.count)
    #expect(try texts(found(TokenModel { _ in none })) == [""])
    #expect(try texts(found(TokenModel { $0.isEmpty ? self.row([" a": 0.5]) : none })) == [" a"])
  }

  /// Each row: what the model writes, and the texts, the best first.
  @Test(
    arguments: [
      // Two doubts make four texts.
      (
        [[" more": 0.6, " were": 0.3], [" a": 0.9], [" day": 0.5, " rain": 0.4]],
        [" more a day", " more a rain", " were a day", " were a rain"]
      ),
      // Marks and capitals make no text of their own, whichever is likelier.
      ([[" Were": 0.5, " were": 0.4], [" a": 0.9]], [" Were a"]),
      ([[" a": 0.9], [" day": 0.5, ",": 0.3]], [" a day"]),
      // An early end is not better because it is short.
      (
        [[" a": 0.5], [" day": 0.5], [" of": 0.5], [" rain": 0.31, "": 0.3]],
        [" a day of rain", " a day of"]
      ),
      // What is 60 times less likely is not followed.
      ([[" more": 0.9, " were": 0.014]], [" more"]),
    ] as [([[String: Float]], [String])])
  func textsDifferInTheirWords(_ places: [[String: Float]], _ expected: [String]) throws {
    #expect(try texts(found(model(places))) == expected)
  }

  @Test func nothingIsWrittenAfterTheLikelyEnd() throws {
    let places: [[String: Float]] = [[" a": 0.9], [" day": 0.9], ["": 0.6, " a": 0.3], [" day": 0.99]]
    #expect(try texts(found(model(places))) == [" a day"])
    #expect(try texts(found(model(places), phrases: ["day a day"])) == [" a day"])
  }

  @Test func textThatGoesRoundInACircleAfterTheEndOfTheBestIsLeft() throws {
    let circle = TokenModel { tokens in
      switch tokens {
      case []: self.row([" a": 0.6, " of": 0.3])
      case [4]: self.row(["": 0.9])
      default: self.row([" of": 0.99, "": 0.001])
      }
    }
    let rules = TokenRules(end: end, notFirst: [], maxTokens: 100)
    #expect(try texts(found(circle, rules: rules)) == [" a"])
    #expect(circle.steps.count < 10)
  }

  @Test func formsOfATextAreKeptWithIt() throws {
    let model = TokenModel { tokens in
      switch self.text(tokens) {
      case "": self.row([" a": 0.9])
      case " a": self.row([" day": 0.5, ",": 0.4])
      case " a,": self.row([" day": 0.95])
      default: self.row(["": 0.9])
      }
    }
    let found = try found(model)
    #expect(texts(found) == [" a day"])
    #expect(found.first?.forms.map(text) == [" a, day"])
  }

  @Test func formsOfATextAreNotFollowedSideBySide() throws {
    let model = model([[" Were": 0.5, " were": 0.4], [" a": 0.9], [" day": 0.9]])
    #expect(try texts(found(model)) == [" Were a day"])
    #expect(model.steps.count == 3)
  }

  @Test func textsWithEqualEndsAreFollowedOnce() throws {
    let model = model(
      [[" more": 0.5, " were": 0.4]] + [" a", " day", " of", " rain", " a", " day"].map { [$0: 0.9] })
    #expect(try texts(found(model)).count == 2)
    // Two texts until both have three equal tokens, then one.
    #expect(model.steps.count == 7 + 3)
  }

  @Test func phraseIsPreferredAndItsBonusIsNotCounted() throws {
    let places: [[String: Float]] = [[" more": 0.6, " were": 0.3], [" a": 0.9], [" day": 0.5]]
    let plain = try found(model(places)), preferred = try found(model(places), phrases: ["were"])
    #expect(texts(plain) == [" more a day", " were a day"])
    #expect(texts(preferred) == [" were a day", " more a day"])
    #expect(preferred.map(\.logProbabilities) == plain.reversed().map(\.logProbabilities))
    #expect(preferred.map { $0.bonus > 0 } == [true, false])
  }

  @Test func bonusOfAPhraseThatIsLeftIsGivenBack() throws {
    let places: [[String: Float]] = [[" more": 0.6, " were": 0.3], [" a": 0.9], [" day": 0.5]]
    let found = try found(model(places), phrases: ["were it", "mor"])
    #expect(texts(found) == [" more a day", " were a day"])
    #expect(found.allSatisfy { abs($0.bonus) < 1e-5 })
  }

  /// 500 random models, in which a token follows from the two before it, and a random vocabulary.
  @Test func everyTextHasItsOwnProbabilityWhateverIsPreferred() throws {
    for seed in 1...500 {
      var generator = SeededNumbers(seed: UInt64(seed))
      let table = (0..<121).map { _ -> [Float] in
        let weights = Self.words.map { _ in pow(generator.next(), 6) }
        let sum = weights.reduce(0, +)
        return weights.map { log($0 / sum) }
      }
      let row = { (tokens: [Int]) in table[tokens.suffix(2).reduce(0) { $0 * 11 + $1 + 1 }] }
      let phrases = (0..<3).map { _ in
        (0..<2).map { _ in Self.words[Int(generator.next() * 8)] }.joined()
      }
      let greedy = try found(TokenModel(row), beams: 1)
      let alone = [TokenModel(row), TokenModel(row)], both = TokenModel(row)
      let expected = try [found(alone[0]), found(alone[1], phrases: phrases)]
      let searches = [search(), search(phrases: phrases)]
      #expect(try BeamSearch.texts(5, searches, first: both.first, at: 0, of: both) == expected, "\(seed)")
      #expect(Set(both.texts) == Set(alone.flatMap(\.texts)), "\(seed)")
      #expect(both.texts.count == Set(both.texts).count, "decoded twice, \(seed)")
      for phrases in [[], phrases] {
        let model = TokenModel(row)
        let found = try found(model, phrases: phrases)
        #expect(!found.isEmpty)
        #expect(Set(found.map { letters(text($0.tokens)) }).count == found.count, "two of one text, \(seed)")
        #expect(
          found.contains { letters(text($0.tokens)) == letters(text(greedy[0].tokens)) } || found.count == 5)
        for text in found where text.isComplete {
          let expected = model.logProbabilities(text.tokens, end: end)
          let isRight = zip(text.logProbabilities, expected).allSatisfy { abs($0 - $1) < 1e-4 }
          #expect(isRight && expected.count == text.logProbabilities.count, "\(seed), \(phrases)")
          #expect(phrases.isEmpty ? text.bonus == 0 : text.bonus > -1e-4, "\(seed)")
        }
      }
    }
  }

  private func letters(_ text: String) -> SpokenLetters {
    var letters = SpokenLetters()
    letters.append(Array(text.utf8))
    return letters
  }
}

/// Numbers from 0 to 1.
private struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (Float(state >> 40) + 1) / Float(1 << 24 + 1)
  }
}
