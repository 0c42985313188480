import Foundation
import Longhand
import Testing

@testable import LonghandTranscription

@Suite struct PartialTextTests {
  private let partials = PartialText()

  private func take(_ text: String, _ range: ClosedRange<Double>) -> TranscriptAccumulator.Partial? {
    partials.take(.init(text: text, range: range, isFinal: false))
  }

  @Test func newPartialReplacesTheOldOneOfTheSameAudio() {
    #expect(take("he", 1...2) == .init(start: 1, end: 2, text: "he"))
    #expect(take(" hello ", 1...3) == .init(start: 1, end: 3, text: "hello"))
    #expect(take("", 1...3) == nil)
  }

  @Test func earlierPartialTextIsKept() {
    _ = take("one", 1...2)
    #expect(take("two", 2...3) == .init(start: 1, end: 3, text: "one two"))
    #expect(take("twenty", 2...4) == .init(start: 1, end: 4, text: "one twenty"))
    #expect(take("all else", 1.5...4) == .init(start: 1.5, end: 4, text: "all else"))
  }

  @Test func finalTextIsNotPartial() {
    _ = take("one", 1...2)
    _ = take("two", 2...3)
    partials.finalize(through: 2.2)
    #expect(take("three", 3...4) == .init(start: 2, end: 4, text: "two three"))
    partials.finalize(through: 4)
    // A late result of final audio.
    #expect(take("three", 3...4) == nil)
    // The final time never decreases.
    partials.finalize(through: 1)
    #expect(take("three", 3...4) == nil)
    #expect(take("four", 4...5)?.text == "four")
  }

  @Test func emptyResultHasNoPartialText() {
    #expect(partials.take(.init(text: "", range: 1...2, isFinal: false)) == nil)
  }
}
