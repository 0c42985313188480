@testable import RecognitionCore
import Foundation
import RecognitionProtocol
import Testing

@testable import Speech

/// Words that were recognized in audio without speech are removed.
@Suite struct FalseWordsTests {
  /// An utterance of two seconds, from second 1 to 3, or of more, with words of these confidences, evenly spaced.
  private func utterance(
    _ confidences: [Double], others: [[Double]] = [], nonspeech: [Range<Int>] = [], seconds: Double = 2
  ) -> RecognizedUtterance {
    let candidates = ([confidences] + others).map { confidences in
      RecognizedCandidate(
        words: confidences.enumerated().map { index, confidence in
          let length = seconds / Double(confidences.count)
          return RecognizedWord(
            text: "word\(index)", start: 1 + Double(index) * length, end: 1 + Double(index + 1) * length,
            confidence: confidence)
        }, confidence: 0.5)
    }
    return RecognizedUtterance(
      audio: UtteranceAudio(start: 16_000, samples: [Int16](repeating: 0, count: Int(seconds * 16_000))),
      candidates: candidates, nonspeech: nonspeech)
  }

  private func words(_ utterance: RecognizedUtterance) -> [String] {
    utterance.candidates.first?.words.map(\.text) ?? []
  }

  private let all = [16_000..<48_000]

  @Test func wordsInSpeechAreKept() {
    let utterance = utterance([0.5, 0.3, 0.2])
    #expect(words(utterance.withoutFalseWords()) == ["word0", "word1", "word2"])
  }

  @Test func wordsWithHighConfidenceAreKept() {
    #expect(words(utterance([0.9, 0.9, 0.9], nonspeech: all).withoutFalseWords()).count == 3)
  }

  /// As in noise, which makes speech sound less like speech.
  @Test func wordsThatComeAsFastAsInSpeechNeedLessConfidence() {
    #expect(words(utterance([0.35, 0.35, 0.35, 0.35], nonspeech: all).withoutFalseWords()).count == 4)
    #expect(utterance([0.28, 0.28, 0.28, 0.28], nonspeech: all).withoutFalseWords().candidates.isEmpty)
    #expect(utterance([0.45, 0.45, 0.45], nonspeech: all).withoutFalseWords().candidates.isEmpty)
    #expect(
      utterance([0.35, 0.35, 0.35, 0.35], nonspeech: all).withoutFalseWords(by: .byConfidence.forSecondTry)
        .candidates.isEmpty
    )
  }

  /// Animals and music go on for longer without saying more.
  @Test func wordsThatComeSlowlyForLongNeedMoreConfidence() {
    func kept(_ confidence: Double, seconds: Int) -> Int {
      let confidences = Array(repeating: confidence, count: seconds)
      return words(utterance(confidences, seconds: Double(seconds)).withoutFalseWords()).count
    }
    #expect(kept(0.6, seconds: 4) == 0)
    #expect(kept(0.8, seconds: 4) == 4)
    #expect(kept(0.6, seconds: 3) == 3)
  }

  /// Whisper writes a sentence twice for one piece of audio. What is left out is named.
  @Test(arguments: [(0.0, 4), (0.3, 8)]) func wordsOfAnEchoAreRejected(_ pace: Double, _ kept: Int) {
    let words = "we go to town we go to town".split(separator: " ").enumerated().map { index, text in
      let start = index < 4 ? 0.3 * Double(index) : 1.2 + pace * Double(index - 4)
      return ServiceHypothesis.Word(
        text: String(text), start: start, end: start + (index < 4 ? 0.3 : pace), confidence: 0.9)
    }
    let utterance = RecognizedUtterance(
      audio: UtteranceAudio(start: 16_000, samples: [Int16](repeating: 0, count: 48_000)),
      hypotheses: [ServiceHypothesis(words: words, confidence: 0.5)], nonspeech: [], of: .byLikelihood)
    #expect(self.words(utterance) == words.prefix(kept).map(\.text))
    #expect(utterance.rejected.map(\.text) == words.dropFirst(kept).map(\.text))
    #expect(utterance.rejected.allSatisfy { $0.start == 2.2 })
    #expect(utterance.rejected.allSatisfy { $0.rejection == .repetition })
  }

  @Test func unsureWordsOutsideSpeechAreRemoved() {
    var utterance = utterance(
      [0.25, 0.25, 0.25, 0.25], others: [[0.3, 0.2], [0.1]], nonspeech: [16_000..<32_000])
    let rest = utterance.withoutFalseWords()
    #expect(words(rest) == ["word2", "word3"])
    #expect(rest.candidates.map { $0.words.map(\.text) } == [["word2", "word3"], ["word1"], ["word0"]])
    utterance.nonspeech = all
    #expect(utterance.withoutFalseWords().candidates.isEmpty)
  }

  @Test func utteranceWithTooLittleConfidenceHasNoWords() {
    #expect(utterance([0.2, 0.2, 0.2]).withoutFalseWords().candidates.isEmpty)
    #expect(utterance([], nonspeech: all).withoutFalseWords().candidates.allSatisfy { $0.words.isEmpty })
  }

  /// Every word that a rule removes says by which one.
  @Test func removedWordsSayWhy() {
    func reasons(_ utterance: RecognizedUtterance, by policy: WordPolicy = .byConfidence) -> [Rejection?] {
      utterance.withoutFalseWords(by: policy).rejected.map(\.rejection)
    }
    #expect(
      reasons(utterance([0.25, 0.25, 0.25, 0.25], nonspeech: [16_000..<32_000])) == [.noSpeech, .noSpeech])
    #expect(reasons(utterance([0.9, 0.9], nonspeech: all), by: .bySound) == [.noSpeech, .noSpeech])
    #expect(reasons(utterance([0.2, 0.2, 0.2])) == [.unsure, .unsure, .unsure])
    #expect(reasons(utterance([0.9]), by: .bySound) == [.fewWords])
    #expect(reasons(utterance([0.4], nonspeech: [32_000..<48_000]), by: .bySound) == [.noSpeech])
    #expect(reasons(utterance([0.9, 0.9])).isEmpty)
    let loop = (0..<9).map { index in
      ServiceHypothesis.Word(
        text: "go", start: 0.1 * Double(index), end: 0.1 * Double(index + 1), confidence: 0.9)
    }
    let stuck = RecognizedUtterance(
      audio: UtteranceAudio(start: 0, samples: [Int16](repeating: 0, count: 16_000)),
      hypotheses: [ServiceHypothesis(words: loop, confidence: 0.5)], nonspeech: [], of: .byLikelihood)
    #expect(stuck.rejected.count == 9)
    #expect(stuck.rejected.allSatisfy { $0.rejection == .loop })
  }

  @Test func rejectedWordsAreKeptApart() {
    let rejected = utterance([0.4, 0.4], others: [[0.3]], nonspeech: all).withoutFalseWords()
    #expect(rejected.rejected.map(\.text) == ["word0", "word1"])
    #expect(rejected.rejected.first?.start == 1)
    #expect(utterance([0.5, 0.5]).withoutFalseWords().rejected.isEmpty)
    // Another recognizer finds nothing either.
    let again = rejected.withSecondTry(by: .pocketSphinx) { _ in [] }
    #expect(again.rejected.map(\.text) == ["word0", "word1"])
  }

  /// Whisper writes figures and spelled words as one word, which takes as long as it has digits or letters.
  @Test(arguments: [
    ("7399.", true), ("7399", true), ("7,399", true), ("M-E-S-A-D-N", true), ("U.S.A.F.", true),
    ("m-e-s-a", true),
    ("٧٣٩٩", true), ("М-Е-Т-О-Д", true), ("2:30", true), ("you", false), ("You.", false), ("Спасибо.", false),
    ("Untertitel", false), ("o'clock", false), ("10", false), ("well-known", false), ("…", false),
  ]) func figuresAndSpelledWordsAreSeveral(_ text: String, _ isKept: Bool) {
    // Three words in four and a half seconds are enough.
    var utterance = utterance([0.9], seconds: 4.5)
    utterance.candidates[0].words[0].text = text
    let rest = utterance.withoutFalseWords(by: .bySound)
    #expect(words(rest) == (isKept ? [text] : []))
    #expect(rest.rejected.map(\.rejection) == (isKept ? [] : [.fewWords]))
    // What is said as several words is no word by itself.
    utterance.candidates[0].words[0].confidence = 0.3
    let isLone = !isKept && !["10", "well-known"].contains(text)
    let reasons = utterance.withoutFalseWords(by: .bySound).rejected.map(\.rejection)
    #expect(reasons == (isKept ? [] : [isLone ? .loneWord : .fewWords]))
  }

  /// A neural model can be sure of words that were not said.
  @Test func soundAloneDecidesWhereConfidenceDoesNotCount() {
    #expect(words(utterance([0.9, 0.9], nonspeech: all).withoutFalseWords(by: .bySound)).isEmpty)
    #expect(words(utterance([0.01, 0.01]).withoutFalseWords(by: .bySound)).count == 2)
  }

  /// Of two seconds, one is speech: its rate of words is high enough.
  @Test func aLoneWordOfANeuralModelNeedsConfidence() {
    let quiet = [32_000..<48_000]
    func lone(_ confidence: Double?) -> RecognizedUtterance {
      var utterance = utterance([0], nonspeech: quiet)
      let word = RecognizedWord(text: "no", start: 1.2, end: 1.6, confidence: confidence)
      utterance.candidates[0].words = [word]
      return utterance.withoutFalseWords(by: .bySound)
    }
    #expect(words(lone(0.6)) == ["no"])
    #expect(words(lone(nil)) == ["no"])
    #expect(lone(0.4).candidates.isEmpty)
    #expect(lone(0.4).rejected.map(\.text) == ["no"])
  }

  /// Of "go forward ten meters" one word of which the recognizer is unsure; the same in noise, which no network takes for speech.
  @Test(arguments: ["Forward", "forward,", "4", "вперёд", "前"])
  func aLoneWordStaysWhereSomebodySurelySpeaks(_ text: String) throws {
    func lone(_ samples: [Int16], _ policy: WordPolicy) -> RecognizedUtterance {
      let word = RecognizedWord(text: text, start: 1.3, end: 1.9, confidence: 0.1)
      return RecognizedUtterance(
        audio: UtteranceAudio(start: 16_000, samples: Array(samples.prefix(24_000))),
        candidates: [RecognizedCandidate(words: [word], confidence: 0.1)], nonspeech: []
      ).withoutFalseWords(by: policy)
    }
    let speech = try Recordings.goForward()
    try #require(VoiceNetwork.installed != nil)
    #expect(words(lone(speech, .byLikelihood)) == [text])
    #expect(words(lone(Sounds.hiss(3), .byLikelihood)).isEmpty)
    #expect(lone(Sounds.melody(3), .byLikelihood).rejected.map(\.text) == [text])
    #expect(lone(Sounds.melody(3), .byLikelihood).rejected.map(\.rejection) == [.loneWord])
    // This policy is for recognizers that are not judged by the network.
    #expect(words(lone(speech, .bySound)).isEmpty)
  }

  /// Speech without words is reported where somebody speaks; a breath is none.
  @Test func speechIsWhereSomebodySpeaks() throws {
    try #require(VoiceNetwork.installed != nil)
    let reader = Array(try Sounds.reader("0880").prefix(40_000))
    func speech(_ samples: [Int16], words: [Double] = [], _ policy: WordPolicy) -> [ClosedRange<Double>] {
      var utterance = utterance(words)
      utterance.audio = UtteranceAudio(start: 16_000, samples: samples)
      if words.isEmpty { utterance.candidates = [] }
      return utterance.withSpeech(by: policy).speech
    }
    let found = speech(reader, .byLikelihood)
    #expect((1...1.6).contains(try #require(found.first).lowerBound))
    #expect((2.5...3.5).contains(try #require(found.last).upperBound))
    let breath = SpeechSegmenterTests.noise(1.1, level: -59)
    #expect(speech(breath, .byLikelihood).isEmpty)
    #expect(speech(breath, .bySound) == [1...2.1])
    #expect(speech(reader, words: [0.9], .byLikelihood) == [1...3.5])
    // Unsure words where nobody speaks are no speech without words.
    var unsure = utterance([])
    unsure.candidates = []
    unsure.audio = UtteranceAudio(start: 16_000, samples: Array(breath + reader))
    unsure.rejected = [(1.2, 1.6), (2.8, 3.2)].map { start, end in
      var word = RecognizedWord(text: "you", start: start, end: end, confidence: 0.2)
      word.rejection = .unsure
      return word
    }
    #expect(unsure.withSpeech(by: .byLikelihood).rejected.map(\.rejection) == [.noSpeech, .unsure])
    #expect(utterance([], nonspeech: all).withSpeech(by: .byLikelihood).speech.isEmpty)
  }

  /// In noise, a word by itself has margins that are longer than the word.
  @Test func aWordInNoiseIsNotTooFew() throws {
    try #require(VoiceNetwork.installed != nil)
    let pad = Recordings.silence(0.8)
    let samples = pad + (try Recordings.goForward())[5_000..<13_000] + pad
    func kept(by policy: WordPolicy) -> [String] {
      let word = RecognizedWord(text: "Go", start: 1.8, end: 2.2, confidence: 0.9)
      return words(
        RecognizedUtterance(
          audio: UtteranceAudio(start: 16_000, samples: samples),
          candidates: [RecognizedCandidate(words: [word], confidence: 0.9)], nonspeech: []
        ).withoutFalseWords(by: policy))
    }
    #expect(kept(by: .byLikelihood) == ["Go"])
    #expect(kept(by: .bySound).isEmpty)
  }

  /// One word in two seconds of speech is less than anybody says. Where most of it is a pause, it is enough.
  @Test func neuralModelsFindMoreThanOneWordInLongSpeech() {
    let one = utterance([0.9])
    #expect(one.withoutFalseWords(by: .bySound).candidates.isEmpty)
    #expect(words(one.withoutFalseWords()).count == 1)
    let short = utterance([0.9], nonspeech: [16_000..<24_000])
    #expect(words(short.withoutFalseWords(by: .bySound)).count == 1)
  }

  @Test func secondTryMustBeSure() {
    #expect(words(utterance([0.9, 0.9, 0.9]).withoutFalseWords(by: .byConfidence.forSecondTry)).count == 3)
    #expect(words(utterance([0.6, 0.6, 0.6]).withoutFalseWords()).count == 3)
    #expect(utterance([0.6, 0.6, 0.6]).withoutFalseWords(by: .byConfidence.forSecondTry).candidates.isEmpty)
  }
}
