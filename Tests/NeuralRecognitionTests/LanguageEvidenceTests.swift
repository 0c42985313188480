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
    #expect(LanguageEvidence(logProbabilities: []).likeliest == nil)
  }

  /// Another language than the expected one, at 0, needs evidence.
  @Test(arguments: [
    ([0.9, 0.1, 0], [0]), ([0.4, 0.3, 0.3], [0]), ([0.3, 0.4, 0.2], [1, 0, 2]), ([0.05, 0.45, 0.4], [1, 2]),
    ([0.18, 0.82, 0], [1]), ([0.22, 0.78, 0], [1, 0]), ([0.1, 0.22, 0.21, 0.2, 0.19], [1, 2, 3]),
  ]) func languagesThatMayBeSpokenAreTried(probabilities: [Float], expected: [Int]) {
    let evidence = LanguageEvidence(logProbabilities: probabilities.map { log($0) })
    #expect(evidence.candidates(expecting: 0).map(\.index) == expected)
    for (index, probability) in evidence.candidates(expecting: 0) {
      #expect(abs(probability - Double(probabilities[index] / probabilities.reduce(0, +))) < 0.001)
    }
  }

  /// In a long text, the sound counts more.
  @Test func textCountsMoreThanTheSoundInShortSpeech() {
    func score(_ mean: Double, _ probability: Double, _ seconds: Double = 1) -> Double {
      LanguageEvidence.score(mean, probability, seconds: seconds)
    }
    #expect(score(-0.3, 0.2) > score(-0.9, 0.7))
    #expect(score(-0.3, 0.2, 12) < score(-0.9, 0.7, 12))
    #expect(score(-0.5, 0.2) < score(-0.4, 0.4))
    #expect(score(-0.4, 0.2) < score(-0.4, 0.4))
  }
}
