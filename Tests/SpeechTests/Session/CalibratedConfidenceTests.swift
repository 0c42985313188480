@testable import RecognitionCore
import Foundation
import RecognitionProtocol
import Testing

@testable import Speech

/// A recognizer's posteriors decide which words are kept; readers see the probability that a word is right.
@Suite struct CalibratedConfidenceTests {
  private func utterance(_ words: [ServiceHypothesis.Word], nonspeech: [Range<Int>]) -> RecognizedUtterance {
    RecognizedUtterance(
      audio: UtteranceAudio(start: 0, samples: [Int16](repeating: 0, count: 16_000)),
      hypotheses: [ServiceHypothesis(words: words, confidence: 0.5)], nonspeech: nonspeech, of: .byConfidence)
  }

  private func word(_ confidence: Double, _ probability: Double?) -> ServiceHypothesis.Word {
    .init(text: "no", start: 0.1, end: 0.5, confidence: confidence, probability: probability)
  }

  @Test func probabilityIsTheConfidenceOfAWord() {
    #expect(utterance([word(0.9, 0.7)], nonspeech: []).candidates.first?.words.map(\.confidence) == [0.7])
    #expect(utterance([word(0.9, nil)], nonspeech: []).candidates.first?.words.map(\.confidence) == [0.9])
  }

  /// A word with a high probability and a low posterior is removed outside speech.
  @Test func posteriorDecidesWhetherAWordStands() {
    let all = [0..<16_000]
    #expect(utterance([word(0.5, 1)], nonspeech: all).candidates.isEmpty)
    #expect(utterance([word(1, 0.1)], nonspeech: all).candidates.count == 1)
  }

  @Test func impossibleProbabilityIsAnErrorOfTheService() {
    #expect(throws: ServiceChannelError.self) {
      try ServiceHypothesis.checked([.init(words: [word(0.5, 1.5)], confidence: nil)], duration: 1)
    }
    #expect(throws: ServiceChannelError.self) {
      try ServiceHypothesis.checked([.init(words: [word(0.5, .nan)], confidence: nil)], duration: 1)
    }
    var other = word(0.5, 0.5)
    other.second = -0.1
    #expect(throws: ServiceChannelError.self) {
      try ServiceHypothesis.checked([.init(words: [other], confidence: nil)], duration: 1)
    }
  }
}
