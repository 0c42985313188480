import Foundation
import Longhand
import Testing

@Suite struct TermScoreTests {
  private func score(_ terms: [String], _ reference: String, _ hypothesis: String) -> TermScore {
    let normalizer = TextNormalizer()
    return TermScore(
      terms: terms, reference: normalizer.words(in: reference), hypothesis: normalizer.words(in: hypothesis))
  }

  @Test func recallAndPrecisionAreCounted() {
    let found = score(["Kimura"], "the kimura and the kimura", "the kimura and the camera")
    #expect(found == TermScore(expected: 2, found: 1, correct: 1))
    #expect(found.recall == 0.5)
    #expect(found.precision == 1)
  }

  @Test func insertedTermsLowerPrecision() {
    #expect(score(["kimura"], "the camera", "the kimura") == TermScore(expected: 0, found: 1))
    #expect(score(["kimura"], "the camera", "the kimura").recall == nil)
    #expect(score(["kimura"], "the camera", "the kimura").precision == 0)
  }

  @Test func phrasesMatchOnlyAsAWhole() {
    #expect(score(["knight f3", "Half-Guard"], "knight f3 half guard", "night f3 half guard").correct == 1)
    #expect(score(["knight f3"], "knight f3", "knight to f3") == TermScore(expected: 1))
  }

  @Test func eachOccurrenceCountsOnce() {
    #expect(score(["a"], "a", "a a") == TermScore(expected: 1, found: 2, correct: 1))
    #expect(score(["a", "A", "a "], "a", "a") == TermScore(expected: 1, found: 1, correct: 1))
    #expect(score(["a a"], "a a a", "a a a") == TermScore(expected: 1, found: 1, correct: 1))
  }

  @Test func termsAtOtherPositionsDoNotCount() {
    let filler = (0..<20).map { "w\($0)" }.joined(separator: " ")
    #expect(score(["kimura"], "kimura \(filler)", "\(filler) kimura") == TermScore(expected: 1, found: 1))
    #expect(score(["kimura"], "a kimura", "x y a kimura").correct == 1)
  }

  @Test func emptyTermsGiveAnEmptyScore() {
    #expect(score([], "a", "a") == TermScore())
    #expect(score(["", "..."], "a", "a") == TermScore())
  }

  @Test func termListSkipsBlankLinesAndComments() throws {
    try Folder.temporary { folder in
      let file = folder.appendingPathComponent("terms")
      try Data("# openings\nSicilian Defence\n\n Kimura \n".utf8).write(to: file)
      #expect(try TermScore.readTerms(contentsOf: file) == ["Sicilian Defence", "Kimura"])
    }
  }
}
