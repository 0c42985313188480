import Foundation
import ScriptedSpeech
import Testing

@testable import Speech

/// What the service of the fault sweeps reads is speech for the framework, and is cut where it pauses.
@Suite struct SpokenTonesDetectionTests {
  private func scores(_ talk: ToneTalk, threshold: Double) -> [Double] {
    var judge = SpeechClassifier(threshold: threshold)
    return SpeechSegmenterTests.utterances(talk.audio).flatMap { utterance in
      judge.begin(at: utterance.start)
      return (judge.take(utterance.samples) + judge.finish()).map(\.score)
    }
  }

  @Test(arguments: [0.35, 0.5, 1, 5]) func utterancesAreUtterances(_ pause: Double) {
    for seed in 1...3 as ClosedRange<UInt64> {
      let talk = ToneTalk(seed: seed, words: 1...10, pause: pause)
      let utterances = SpeechSegmenterTests.utterances(talk.audio)
      #expect(utterances.count == talk.places.count)
      for (utterance, place) in zip(utterances, talk.places) {
        #expect(utterance.range.lowerBound <= place.lowerBound)
        #expect(place.upperBound <= utterance.range.upperBound)
      }
      #expect(utterances.map { SpokenTones.words(in: $0.samples).map(\.number) } == talk.utterances)
    }
  }

  @Test(arguments: SpeechDetector.SensitivityLevel.allCases)
  func itIsSpeechForTheDetector(_ level: SpeechDetector.SensitivityLevel) throws {
    let threshold = try #require(level.detection.threshold)
    let evidence = [1...1, 1...2, 4...10].flatMap { words in
      scores(ToneTalk(seed: 5, words: words, pause: 1), threshold: threshold)
    }
    #expect(try #require(evidence.min()) > 1)
  }

  @Test func oneWordAgainAndAgainIsSpeech() throws {
    for word in SpokenTones.vocabulary.indices {
      let talk = ToneTalk([[word], Array(repeating: word, count: 6)], pause: 6)
      let evidence = scores(talk, threshold: SpeechEvidence.threshold)
      #expect(try #require(evidence.min()) > 1, "\(SpokenTones.vocabulary[word])")
    }
  }
}
