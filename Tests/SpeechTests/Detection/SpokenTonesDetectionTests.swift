@testable import RecognitionCore
import Foundation
import ScriptedSpeech
import Testing

@testable import Speech

/// The framework takes the tones of the scripted service for speech, and cuts them at their pauses.
@Suite struct SpokenTonesDetectionTests {
  private func scores(_ talk: ToneTalk, threshold: Double) -> [Double] {
    var classifier = SpeechClassifier(threshold: threshold)
    return SpeechSegmenterTests.utterances(talk.audio).flatMap { utterance in
      classifier.begin(at: utterance.start)
      return (classifier.take(utterance.samples) + classifier.finish()).map(\.score)
    }
  }

  @Test(arguments: [0.35, 0.5, 1, 5]) func tonesBetweenPausesAreUtterances(_ pause: Double) {
    for seed in 1...3 as ClosedRange<UInt64> {
      let talk = ToneTalk(seed: seed, words: 1...10, pause: pause)
      let utterances = SpeechSegmenterTests.utterances(talk.audio)
      #expect(utterances.count == talk.ranges.count)
      for (utterance, range) in zip(utterances, talk.ranges) {
        #expect(utterance.range.lowerBound <= range.lowerBound)
        #expect(range.upperBound <= utterance.range.upperBound)
      }
      #expect(utterances.map { SpokenTones.words(in: $0.samples).map(\.number) } == talk.utterances)
    }
  }

  @Test(arguments: SpeechDetector.SensitivityLevel.allCases)
  func tonesAreSpeechForTheDetector(_ level: SpeechDetector.SensitivityLevel) throws {
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
