import Foundation
import Testing

@testable import Speech

/// What becomes of words that were heard where nobody spoke.
@Suite struct FalseWordsTests {
  /// An utterance of two seconds, from second 1 to 3, with words of these confidences, evenly spaced.
  private func utterance(_ confidences: [Double], others: [[Double]] = []) -> RecognizedUtterance {
    let candidates = ([confidences] + others).map { confidences in
      RecognizedCandidate(
        words: confidences.enumerated().map { index, confidence in
          let length = 2 / Double(confidences.count)
          return RecognizedWord(
            text: "word\(index)", start: 1 + Double(index) * length, end: 1 + Double(index + 1) * length,
            confidence: confidence)
        }, confidence: 0.5)
    }
    return RecognizedUtterance(
      audio: UtteranceAudio(start: 16_000, samples: [Int16](repeating: 0, count: 32_000)),
      candidates: candidates)
  }

  private func words(_ utterance: RecognizedUtterance) -> [String] {
    utterance.candidates.first?.words.map(\.text) ?? []
  }

  private let all = [16_000..<48_000]

  @Test func whatSoundsLikeSpeechStands() {
    let utterance = utterance([0.5, 0.3, 0.2])
    #expect(words(utterance.withoutFalseWords(nonspeech: [])) == ["word0", "word1", "word2"])
  }

  @Test func whatTheRecognizerIsSureOfStandsWhateverItSoundsLike() {
    #expect(words(utterance([0.9, 0.9, 0.9]).withoutFalseWords(nonspeech: all)).count == 3)
  }

  @Test func unsureWordsWhereNobodySpeaksFall() {
    let utterance = utterance([0.4, 0.4, 0.4, 0.4], others: [[0.3, 0.2], [0.1]])
    let rest = utterance.withoutFalseWords(nonspeech: [16_000..<32_000])
    #expect(words(rest) == ["word2", "word3"])
    #expect(rest.candidates.map { $0.words.map(\.text) } == [["word2", "word3"], ["word1"], ["word0"]])
    #expect(utterance.withoutFalseWords(nonspeech: all).candidates.isEmpty)
  }

  @Test func aUtteranceThatTheRecognizerKnowsNextToNothingOfHoldsNoWords() {
    #expect(utterance([0.2, 0.2, 0.2]).withoutFalseWords(nonspeech: []).candidates.isEmpty)
    #expect(utterance([]).withoutFalseWords(nonspeech: all).candidates.allSatisfy { $0.words.isEmpty })
  }

  /// A neural model can be sure of words that nobody said.
  @Test func soundAloneDecidesWhereConfidenceDoesNotCount() {
    #expect(words(utterance([0.9, 0.9]).withoutFalseWords(nonspeech: all, confidenceCounts: false)).isEmpty)
    #expect(words(utterance([0.01]).withoutFalseWords(nonspeech: [], confidenceCounts: false)).count == 1)
  }
}
