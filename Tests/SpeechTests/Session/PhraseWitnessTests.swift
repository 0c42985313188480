@testable import RecognitionCore
import Foundation
import RecognitionProtocol
import Testing

@testable import Speech

@Suite struct PhraseWitnessTests {
  private func hypothesis(
    _ text: String, _ source: ServiceHypothesis.Source, confidence: Double = 1
  ) -> ServiceHypothesis {
    let words = text.split(separator: " ").enumerated().map { index, word in
      var found = ServiceHypothesis.Word(
        text: word.replacingOccurrences(of: "*", with: ""), start: Double(index), end: Double(index + 1),
        confidence: confidence)
      if word.contains("*") { found.isOfDomain = true }
      return found
    }
    return ServiceHypothesis(words: words, confidence: nil, source: source)
  }

  /// The texts in their order, where words with a star are of phrases, and the sound is `said`: a text fits it by the number of
  /// its words that were said, each with a weight. The recognizer is unsure of each word of the plain text.
  private func confirmed(
    _ biased: String, _ plain: String, said: String, ofLongList isLong: Bool = false, weight: Double = 1,
    confidence: Double = 0.2
  )
    -> [String]
  {
    let spoken = Set(said.split(separator: " ").map(String.init))
    let found = PhraseWitness.confirmed(
      [hypothesis(biased, .biased), hypothesis(plain, .best, confidence: confidence)], ofLongList: isLong
    ) { texts in
      texts.map { words in
        var aligned = hypothesis(words.joined(separator: " "), .best)
        aligned.score = weight * Double(words.count(where: { spoken.contains($0) }))
        return aligned
      }
    }
    return found.map(\.text)
  }

  @Test func phraseThatWasSaidStands() {
    #expect(
      confirmed("play the Kimura* now", "play the camera now", said: "play the Kimura now")
        == ["play the Kimura now", "play the camera now"])
  }

  @Test func phraseThatWasNotSaidIsAnAlternative() {
    #expect(
      confirmed("play the Kimura* now", "play the camera now", said: "play the camera now")
        == ["play the camera now", "play the Kimura now"])
  }

  /// Nobody expected them, however well they fit.
  @Test func otherWordsOfTheSearchAreNotTaken() {
    let found = confirmed(
      "to year with the Kimura* is averis", "a year with the camera is avarice",
      said: "to year with the Kimura is averis", weight: 3)
    #expect(
      found == [
        "a year with the Kimura is avarice", "to year with the Kimura is averis",
        "a year with the camera is avarice",
      ])
    #expect(confirmed("to year", "a year", said: "to year", weight: 9) == ["a year", "to year"])
  }

  @Test func whereNothingAlignsTheSearchDecides() {
    let found = PhraseWitness.confirmed(
      [hypothesis("si, la Kimura*", .biased, confidence: 0.05), hypothesis("no, la cámara", .best)],
      ofLongList: true, nil)
    #expect(found.map(\.text) == ["no, la Kimura", "si, la Kimura", "no, la cámara"])
  }

  /// A window has several sentences.
  @Test func eachPhraseHasItsOwnEvidence() {
    let found = confirmed(
      "the Kimura* and the Armbar* hold", "the camera and the arm band hold",
      said: "the Kimura and the arm band hold", weight: 1.5, confidence: 0.5)
    #expect(found.first == "the Kimura and the arm band hold")
    #expect(found.count == 3)
  }

  @Test func phrasesThatSoundTheSameStand() {
    let texts = confirmed("the hare*, ran", "the hair ran", said: "")
    #expect(texts.first == "the hare, ran")
  }

  @Test(arguments: [(0.3, "the hare ran"), (0.5, "the hair ran")])
  func phraseThatFitsALittleWorseStands(_ weight: Double, _ expected: String) {
    #expect(confirmed("the hare* ran", "the hair ran", said: "hair", weight: weight).first == expected)
  }

  /// The rows have the confidence of the word in the phrase's place, and how much better than it the phrase fits.
  @Test(arguments: [
    (0.53, 0.95, "the hair ran"), (0.53, 1.2, "the hare ran"), (0.96, 3, "the hair ran"),
    (0.1, 0, "the hare ran"),
  ])
  func aPhraseInThePlaceOfSureWordsMustFitBetter(_ confidence: Double, _ weight: Double, _ expected: String) {
    let texts = confirmed(
      "the hare* ran", "the hair ran", said: "hare", weight: weight, confidence: confidence)
    #expect(texts.first == expected)
  }

  @Test func wordsThatAreOnlyDividedInAnotherWayStand() {
    let texts = confirmed("the armbar* now", "the arm bar now", said: "", ofLongList: true, confidence: 1)
    #expect(texts.first == "the armbar now")
  }

  @Test func aPhraseOfALongListMustFitBetter() {
    #expect(confirmed("the hare* ran", "the hair ran", said: "", ofLongList: true).first == "the hair ran")
    #expect(
      confirmed("the hare* ran", "the hair ran", said: "hare", ofLongList: true).first == "the hare ran")
  }

  /// The words of a vocabulary are known by its language model alone.
  @Test(arguments: [(20, "the hare ran"), (600, "the hair ran")])
  func theWordsOfADomainAreALongList(_ words: Int, _ expected: String) {
    let configuration = ServiceConfiguration(
      model: ModelReference(.whisper, folder: "/m", digest: "0"),
      languageModel: .init(model: "/m.arpa", vocabulary: nil, weight: nil, digest: "0", wordCount: words))
    let found = configuration.timed(
      [hypothesis("the hare* ran", .biased), hypothesis("the hair ran", .best, confidence: 0.2)],
      nonspeech: []
    ) { texts, _ in
      texts.map { words in
        var aligned = hypothesis(words.joined(separator: " "), .best)
        aligned.score = 0
        return aligned
      }
    }
    #expect(found.first?.text == expected)
  }

  @Test func withoutAWitnessNothingChanges() {
    let both = [hypothesis("a Kimura*", .biased), hypothesis("a camera", .best)]
    #expect(PhraseWitness.confirmed(both, ofLongList: false) { _ in [] } == both)
    #expect(
      PhraseWitness.confirmed(both, ofLongList: false) { _ in throw SpeechServiceFailure.cancelled } == both)
    let best = [hypothesis("a camera", .best), hypothesis("a Kimura*", .biased)]
    #expect(
      PhraseWitness.confirmed(best, ofLongList: false) { _ in
        Issue.record("nothing to ask"); return []
      } == best)
  }
}
