import RecognitionProtocol
import Testing

@testable import NeuralRecognition

@Suite struct WindowCheckTests {
  private func sequence(_ tokens: [Int], each: Float = -0.1, isComplete: Bool = true) -> TokenSequence {
    var sequence = TokenSequence()
    sequence.tokens = tokens
    sequence.logProbabilities = tokens.map { _ in each }
    sequence.isComplete = isComplete
    return sequence
  }

  @Test func loopsAndUnlikelyTextsFail() {
    let plain = Array(0..<60)
    let loop = Array(0..<30) + (0..<40).map { $0 % 3 }
    #expect(!WindowCheck(sequence(plain), noSpeech: 0).hasFailed)
    #expect(WindowCheck(sequence(loop), noSpeech: 0).isLoop)
    #expect(WindowCheck(sequence(plain, isComplete: false), noSpeech: 0).hasFailed)
    #expect(WindowCheck(sequence(plain, each: -1.1), noSpeech: 0).hasFailed)
    #expect(!WindowCheck(sequence([1, 1, 1, 1]), noSpeech: 0).hasFailed)
    let said = WindowCheck(sequence([1, 2, 3, 1, 2, 3, 1, 2, 3]), noSpeech: 0)
    #expect(said.hasFailed)
    #expect(!said.isLoop)
  }

  @Test(arguments: [(-1.3, 0, true), (-0.5, 0.7, true), (-1.1, 0.5, false), (-0.3, 0.9, false)])
  func unlikelyTextIsInvented(_ each: Float, _ noSpeech: Double, _ isInvented: Bool) {
    #expect(WindowCheck(sequence([1, 2, 3], each: each), noSpeech: noSpeech).isInvented == isInvented)
  }

  @Test func wordsInSpeechAreNotReplacedByNone() {
    let words = WindowCheck(sequence([1, 2, 3, 4], each: -1.1), noSpeech: 0.1)
    let none = WindowCheck(sequence([], each: -0.1), noSpeech: 0.1)
    #expect(!words.isReplaced(by: none, isEmpty: false, isOtherEmpty: true))
    // Where it may be no speech, or the first one has no words, the better one counts.
    let noise = WindowCheck(sequence([1, 2, 3, 4], each: -1.1), noSpeech: 0.4)
    #expect(noise.isReplaced(by: none, isEmpty: false, isOtherEmpty: true))
    #expect(
      none.isReplaced(by: WindowCheck(sequence([1, 2]), noSpeech: 0.1), isEmpty: true, isOtherEmpty: false))
    let better = WindowCheck(sequence([1, 2, 3, 5]), noSpeech: 0.1)
    #expect(words.isReplaced(by: better, isEmpty: false, isOtherEmpty: false))
    #expect(!better.isReplaced(by: words, isEmpty: false, isOtherEmpty: false))
  }

  @Test(arguments: [
    ("abcabcabcabcx", "abcx"), ("xaaaaaaaaay", "xay"), ("no no no", "no no no"), ("hello", "hello"), ("", ""),
    ("thou hast made thee, thou hast made thee, thou hast made thee,", "thou hast made thee,"),
  ])
  func loopsAreCutToTheirFirstTime(_ text: String, _ expected: String) {
    let words = text.contains(",") ? text.split(separator: " ").map(String.init) : text.map(String.init)
    let kept = RepetitionCheck.withoutLoops(words) { $0 == $1 }
    #expect(kept.joined(separator: text.contains(",") ? " " : "") == expected)
  }
}

/// How long the text of a window may be.
@Suite struct TokenRulesTests {
  @Test(arguments: [(1.0, 36), (10, 144), (25, 224)])
  func englishHasFewTokens(_ seconds: Double, _ most: Int) {
    #expect(TokenRules.maxTokens(in: seconds, isEnglish: true, context: 448, after: 4) == most)
  }

  /// What the first article of the Universal Declaration of Human Rights takes in 11 seconds: Tamil 200, Georgian 425.
  @Test func otherWritingHasAsManyAsTheModelTakes() {
    #expect(TokenRules.maxTokens(in: 11, isEnglish: false, context: 448, after: 4) == 443)
    #expect(TokenRules.maxTokens(in: 1, isEnglish: false, context: 448, after: 4) == 72)
    #expect(TokenRules.maxTokens(in: 10.5, isEnglish: false, context: 448, after: 4) >= 425)
  }
}

/// What is written again and again was said again where there is time for it.
@Suite struct SaidLoopTests {
  private func text(_ phrase: [String], rounds: Int, seconds: Double) -> [RecognizedTokens.Token] {
    let length = seconds / Double(phrase.count)
    return (0..<rounds * phrase.count).map { index in
      .init(bytes: Array(phrase[index % phrase.count].utf8), start: Double(index) * length, duration: length)
    }
  }

  private static let phrases = [
    [" one", ",", " two", ",", " three", ",", " four", ","], [" раз", " два", " три", " четыре"],
    ["一", "二", "三", "四", "，"],
  ]

  @Test(arguments: phrases) func whatHasTimeStays(_ phrase: [String]) {
    let said = text(phrase, rounds: 10, seconds: 2.3)
    #expect(said.withoutLoops(canBeSaid: true) == said)
    #expect(said.withoutLoops(canBeSaid: false) == Array(said.prefix(phrase.count)))
  }

  @Test(arguments: phrases.prefix(2)) func whatHasNoTimeGoes(_ phrase: [String]) {
    let stuck = text(phrase, rounds: 10, seconds: 0.2)
    #expect(stuck.withoutLoops(canBeSaid: true) == Array(stuck.prefix(phrase.count)))
    let words = text([" in"], rounds: 60, seconds: 0.04) + text([" in"], rounds: 1, seconds: 9)
    #expect(words.withoutLoops(canBeSaid: true) == Array(words.prefix(1)))
    // The last rounds are written after what was said.
    var late = text(phrase, rounds: 4, seconds: 2)
    late += late.prefix(3 * phrase.count).map {
      RecognizedTokens.Token(bytes: $0.bytes, start: 8, duration: 0.01)
    }
    #expect(late.withoutLoops(canBeSaid: true) == Array(late.prefix(4 * phrase.count)))
  }

  @Test func whatHasNoTimesKeepsItsFirstRound() {
    let tokens = (0..<40).map { RecognizedTokens.Token(bytes: Array([" a", " b"][$0 % 2].utf8), start: nil) }
    #expect(tokens.withoutLoops(canBeSaid: true) == Array(tokens.prefix(2)))
  }

  @Test(arguments: [(0.05, true), (0.5, false)]) func speechIsSurelyHeard(_ noSpeech: Double, _ isHeard: Bool)
  {
    #expect(WindowCheck(TokenSequence(), noSpeech: noSpeech).hearsSpeech == isHeard)
  }
}

@Suite struct SoundTagsTests {
  private func spoken(_ tokens: String...) -> String {
    let removed = SoundTags.removed(from: tokens.map { .init(bytes: Array($0.utf8), start: 0) })
    return String(decoding: removed.flatMap(\.bytes), as: UTF8.self)
  }

  @Test func soundsAreNoWords() {
    #expect(spoken(" [", "Music", "]") == "")
    #expect(spoken(" [", "BL", "ANK", "_AUDIO", "]") == "")
    #expect(spoken(" (", "wh", "ist", "ling", ")") == "")
    #expect(spoken(" *", "l", "aughs", "*", " Yes", ".") == " Yes.")
    #expect(spoken(" Hello", " [", "applause", "]", " again") == " Hello again")
    #expect(spoken(" (", "engine", " roars", ")") == "")
    #expect(spoken(" [", "Music") == "")
    #expect(spoken(" (", "foot", "steps") == "")
    #expect(spoken(" *", " *", " *") == "")
  }

  @Test func notesAreNoWordsAlsoInParts() {
    let tokens: [[UInt8]] = [[0x20, 0xE2, 0x99], [0xAA], Array(" la".utf8)]
    let removed = SoundTags.removed(from: tokens.map { .init(bytes: $0, start: 0) })
    #expect(removed.map(\.bytes) == [Array(" la".utf8)])
  }

  /// Stars hide letters of what is said.
  @Test(arguments: [
    " What the f*** is this s***", " Was zum T*** ist das f*** hier", " this is *** and", " 2 * 3 * 4",
    " (this morning) he left", " He left (or nothing)",
  ]) func spokenWordsAreNoSounds(_ text: String) {
    let words = text.split(separator: " ").map { " \($0)" }
    let removed = SoundTags.removed(from: words.map { .init(bytes: Array($0.utf8), start: 0) })
    let kept = String(decoding: removed.flatMap(\.bytes), as: UTF8.self)
    for word in text.split(separator: " ") where !word.contains("*") { #expect(kept.contains(word)) }
  }

  @Test func anOpenBracketHidesFewWords() {
    let words = (0..<20).map { " word\($0)" }
    let removed = SoundTags.removed(from: ([" ["] + words).map { .init(bytes: Array($0.utf8), start: 0) })
    #expect(removed.count >= words.count)
    #expect(spoken(" *laughs*", " yes", " *he sighs.*") == " yes")
    #expect(spoken(" Yes", " (", "barking", ")") == " Yes")
  }

  @Test func spokenTextInParenthesesStays() {
    #expect(spoken(" He", " (", "as", " he", " said", ")", " left") == " He (as he said) left")
    #expect(spoken(" two", " (", "2", ")") == " two (2)")
    #expect(spoken(" He", " (", "as", " he", " said") == " He (as he said")
  }
}
