import Foundation
import NeuralRecognition
import Testing

@Suite struct LanguageEvidenceTests {
  @Test func probabilitiesAreThoseOfTheLanguagesAlone() throws {
    // The tokens of languages are a part of the vocabulary: their probabilities do not add up to 1.
    let evidence = LanguageEvidence(logProbabilities: [-12, -10, -13])
    let likeliest = try #require(evidence.likeliest)
    #expect(likeliest.index == 1)
    #expect(abs(likeliest.probability - 0.844) < 0.001)
    #expect(abs(evidence.probability(of: 0) - 0.114) < 0.001)
    #expect(LanguageEvidence(logProbabilities: []).likeliest == nil)
  }

  /// Another language than the expected one, at 0, needs evidence.
  @Test(arguments: [
    ([0.9, 0.1, 0], true), ([0.4, 0.3, 0.3], true), ([0.3, 0.4, 0.3], false), ([0.1, 0.45, 0.45], false),
    ([0.05, 0.45, 0.5], true), ([0.18, 0.82, 0], true), ([0.22, 0.78, 0], false),
  ]) func languageIsUnsureWhereTheExpectedOneIsLikelyToo(probabilities: [Float], isSure: Bool) {
    let evidence = LanguageEvidence(logProbabilities: probabilities.map { log($0) })
    #expect(evidence.isSure(expecting: 0) == isSure)
  }
}
