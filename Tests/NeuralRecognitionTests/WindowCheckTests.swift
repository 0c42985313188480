import SpeechServiceProtocol
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

  @Test func spokenTextInParenthesesStays() {
    #expect(spoken(" He", " (", "as", " he", " said", ")", " left") == " He (as he said) left")
    #expect(spoken(" two", " (", "2", ")") == " two (2)")
    #expect(spoken(" He", " (", "as", " he", " said") == " He (as he said")
  }
}
