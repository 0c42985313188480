import Foundation
import Longhand
import Testing

@Suite struct WordErrorRateTests {
  private func rate(_ reference: String, _ hypothesis: String) -> WordErrorRate {
    WordErrorRate(
      reference: reference.split(separator: " ").map(String.init),
      hypothesis: hypothesis.split(separator: " ").map(String.init))
  }

  @Test func identicalTextsHaveNoErrors() {
    #expect(rate("a b c", "a b c") == WordErrorRate(referenceWords: 3))
    #expect(rate("a b c", "a b c").rate == 0)
  }

  @Test func anEmptyHypothesisIsAllDeletions() {
    #expect(rate("a b c", "") == WordErrorRate(deletions: 3, referenceWords: 3))
    #expect(rate("a b c", "").rate == 1)
  }

  @Test func anEmptyReferenceIsAllInsertions() {
    #expect(rate("", "a b") == WordErrorRate(insertions: 2))
    #expect(rate("", "a b").rate == .infinity)
    #expect(rate("", "").rate == 0)
  }

  @Test func repeatedWordsAreCounted() {
    #expect(rate("a a a", "a a") == WordErrorRate(deletions: 1, referenceWords: 3))
    #expect(rate("the the cat", "the cat cat") == WordErrorRate(substitutions: 1, referenceWords: 3))
  }

  @Test func allKindsOfErrorsAreCounted() {
    #expect(
      rate("a b c d", "a x c d e") == WordErrorRate(substitutions: 1, insertions: 1, referenceWords: 4))
    #expect(rate("a b", "c d e f").rate == 2)
  }

  @Test func matchesArePreferredAtEqualErrors() {
    #expect(rate("a b", "b a") == WordErrorRate(deletions: 1, insertions: 1, referenceWords: 2))
  }

  @Test func sumWeighsByLength() {
    let sum = rate("a", "b") + rate("a b c", "a b c")
    #expect(sum == WordErrorRate(substitutions: 1, referenceWords: 4))
    #expect(sum.rate == 0.25)
  }

  @Test func infiniteRateIsLeftOutOfJSON() throws {
    let encoded = try JSONEncoder().encode(rate("", "a"))
    #expect(!String(decoding: encoded, as: UTF8.self).contains("rate"))
    #expect(try JSONDecoder().decode(WordErrorRate.self, from: encoded) == rate("", "a"))
  }
}
