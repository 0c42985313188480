import Foundation
import Longhand
import Testing

@testable import LonghandTranscription

@Suite struct SeamMergerTests {
  private static func word(_ text: String, _ start: Double, _ end: Double) -> Word {
    Word(text: text, start: start, end: end, confidence: 0.5)
  }

  private static func candidate(_ words: [Word]) -> Candidate {
    Candidate(text: words.map(\.text).joined(separator: " "), words: words, confidence: 0.5)
  }

  /// The merge of two results that overlap from 10 s to 10.5 s.
  private static func merged(_ first: [Word], _ second: [Word]) -> [String] {
    let (one, other) = SeamMerger(overlap: 10...10.5).merge(candidate(first), candidate(second))
    #expect(one.text == one.words.map(\.text).joined(separator: " "))
    #expect(other.text == other.words.map(\.text).joined(separator: " "))
    return [one.text, other.text]
  }

  @Test func wordRecognizedByBothTasksAppearsOnce() {
    let first = [Self.word("a", 9.5, 9.9), Self.word("b", 9.9, 10.2), Self.word("c", 10.2, 10.5)]
    #expect(Self.merged(first, [Self.word("b", 10, 10.2), Self.word("c", 10.2, 10.5)]) == ["a b", "c"])
    // Also if each task puts it into the other half of the overlap.
    let early = [Self.word("b", 10.06, 10.34), Self.word("c", 10.5, 11)]
    let late = [Self.word("a", 9.5, 9.9), Self.word("b", 10.17, 10.45)]
    #expect(Self.merged(late, early).joined(separator: " ") == "a b c")
  }

  /// The store takes no others.
  @Test func mergedWordsAreInTheOrderOfTheirStarts() {
    let first = [Self.word("a", 10, 10.04), Self.word("bcd", 10.04, 10.49)]
    let second = [Self.word("bcd", 9.97, 10.49), Self.word("e", 10.5, 11)]
    let (one, other) = SeamMerger(overlap: 9.9...10.5).merge(Self.candidate(first), Self.candidate(second))
    let words = one.words + other.words
    #expect(words.map(\.text) == ["a", "bcd", "e"])
    #expect(words.map(\.start) == [10, 10, 10.5])
  }

  @Test func repeatedWordIsKeptTwice() {
    let first = [Self.word("no", 9.7, 10), Self.word("no", 10, 10.25), Self.word("go", 10.25, 10.5)]
    let second = [
      Self.word("no", 10.02, 10.26), Self.word("go", 10.25, 10.5), Self.word("go", 10.5, 10.8),
    ]
    #expect(Self.merged(first, second).joined(separator: " ") == "no no go go")
  }

  @Test func wordCutAtAnEdgeIsTakenFromTheOtherTask() {
    let first = [
      Self.word("one", 9.6, 9.8), Self.word("wonderful", 9.8, 10.3), Self.word("day", 10.35, 10.5),
    ]
    let second = [Self.word("full", 10, 10.3), Self.word("daylight", 10.35, 11)]
    #expect(Self.merged(first, second) == ["one wonderful", "daylight"])
  }

  @Test func wordsWithTimesThatDifferByATenthAreKept() {
    let first = [Self.word("a", 9.6, 9.9), Self.word("b", 10, 10.2), Self.word("c", 10.2, 10.4)]
    let second = [Self.word("b", 10.1, 10.3), Self.word("c", 10.3, 10.5), Self.word("d", 10.5, 10.9)]
    #expect(Self.merged(first, second).joined(separator: " ") == "a b c d")
    #expect(
      Self.merged(second.dropLast(), first.dropFirst() + second.suffix(1)).joined(separator: " ") == "b c d")
  }

  @Test func wordRecognizedByOneTaskKeepsItsTime() {
    let first = [Self.word("a", 9.5, 9.9), Self.word("late", 10.3, 10.45)]
    #expect(Self.merged(first, [Self.word("d", 10.6, 11)]) == ["a late", "d"])
    let second = [Self.word("early", 10.05, 10.2), Self.word("d", 10.6, 11)]
    #expect(Self.merged([Self.word("a", 9.5, 9.9)], second) == ["a", "early d"])
    // Between words of the other task.
    let around = [Self.word("a", 9.6, 10), Self.word("c", 10.1, 10.2)]
    #expect(
      Self.merged(around, [Self.word("b", 10, 10.1), Self.word("c", 10.1, 10.2)]).joined(separator: " ")
        == "a b c")
  }

  @Test func wordsOutsideTheSeamAreUnchanged() {
    var first = Self.candidate([Self.word("a", 1, 2), Self.word("b", 2, 3)])
    first.text = "A b."
    let second = Self.candidate([Self.word("c", 12, 13)])
    let merger = SeamMerger(overlap: 10...10.5)
    let nothing = Self.candidate([])
    for (one, other) in [(first, second), (first, nothing), (nothing, second)] {
      let merged = merger.merge(one, other)
      #expect(merged.first == one)
      #expect(merged.second == other)
    }
  }

  /// Words without pauses, recognized by two tasks whose times differ by up to 120 ms. A word that an edge cuts is missing
  /// or wrong in that task.
  @Test(arguments: 0..<300) func everyWordAppearsOnceAndInOrder(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var said: [Word] = []
    var end = 50.0
    while end < 60 {
      let start = end + (Bool.random(using: &random) ? 0 : Double.random(in: 0...0.3, using: &random))
      end = start + Double.random(in: 0.25...0.38, using: &random)
      // Some words are repeated.
      let isAgain = Int.random(in: 0..<5, using: &random) == 0
      said.append(Self.word(isAgain ? said.last?.text ?? "w" : "w\(said.count)", start, end))
    }
    let overlap = 54.5...55.0
    func heard(_ sound: ClosedRange<Double>) -> [Word] {
      said.compactMap { word in
        guard word.end > sound.lowerBound, word.start < sound.upperBound else { return nil }
        var heard = word
        let shift = Double.random(in: -0.06...0.06, using: &random)
        heard.start = word.start < sound.lowerBound ? sound.lowerBound : word.start + shift
        heard.end = word.end > sound.upperBound ? sound.upperBound : word.end + shift
        if word.start < sound.lowerBound || word.end > sound.upperBound {
          // A short rest of a word is not recognized.
          let length = min(word.end, sound.upperBound) - max(word.start, sound.lowerBound)
          guard length > 0.1, Bool.random(using: &random) else { return nil }
          heard.text = "cut \(word.text)"
        }
        heard.start = max(sound.lowerBound, heard.start)
        heard.end = min(sound.upperBound, heard.end)
        return heard
      }
    }
    let (first, second) = (heard(0...overlap.upperBound), heard(overlap.lowerBound...100))
    let merged = SeamMerger(overlap: overlap).merge(Self.candidate(first), Self.candidate(second))
    let words = (merged.first.words + merged.second.words).map(\.text)
    #expect(words == said.map(\.text), "\(first.suffix(4)) \(second.prefix(4)) \(words)")
  }
}
