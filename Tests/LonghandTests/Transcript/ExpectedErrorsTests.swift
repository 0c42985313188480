import Foundation
import LonghandTranscripts
import Testing

@testable import LonghandArchive

@Suite struct ExpectedErrorsTests {
  private static func errors(
    _ texts: [String] = ["take the pawn", "возьми пешку"], model: String? = "whisper-base",
    locale: String = "en-US", language: String? = nil, confidence: Double? = 0.7
  ) -> ExpectedErrors? {
    let segments = texts.enumerated().map { id, text in
      var segment = StoreFixture.segment(id, text)
      for index in segment.candidates[0].words.indices {
        segment.candidates[0].words[index].confidence = confidence
      }
      if id == 1 { segment.candidates[0].language = language }
      return segment
    }
    return ExpectedErrors(of: segments, model: model, locale: locale)
  }

  @Test func wordsCountByTheProbabilityThatTheyAreWrong() throws {
    let errors = try #require(Self.errors())
    #expect(errors.words == 5)
    #expect(abs(errors.count - 1.5) < 1e-9)
    #expect("\(errors)".hasPrefix("About 2 of 5 words are wrong"))
    #expect(Self.errors(confidence: 1)?.rounded == 0)
    #expect(Self.errors(confidence: 1)?.range == 0...0)
    #expect(Self.errors(confidence: 0)?.range.upperBound == 5)
  }

  @Test(
    arguments: [
      (nil, "en-US", nil, 0.7, nil), ("other", "en-US", nil, 0.7, nil),
      ("whisper-base", "ru-RU", nil, 0.7, nil),
      ("whisper-base", "en-US", nil, nil, nil), ("whisper-base", "en-US", "ru", 0.7, 3),
      ("whisper-base", "ru-RU", "en", 0.7, 2), ("whisper-tiny-en", "en-GB", nil, 0.7, 5),
    ] as [(String?, String, String?, Double?, Int?)])
  func onlyACalibratedConfidenceCounts(
    model: String?, locale: String, language: String?, confidence: Double?, words: Int?
  ) {
    #expect(
      Self.errors(model: model, locale: locale, language: language, confidence: confidence)?.words == words)
  }

  @Test(arguments: [1, 20, 3000, 200_000]) func rangeLeavesOneOfTwentyAtEachSide(words: Int) throws {
    let errors = try #require(Self.errors([[String](repeating: "word", count: words).joined(separator: " ")]))
    let spread = try #require(ExpectedErrors.spreads["whisper-base"])
    let (shape, mean) = (1 / (spread * spread), errors.count)
    func share(upTo number: Int) -> Double {
      guard number >= 0 else { return 0 }
      return (0...number).reduce(0.0) { sum, number in
        let ways = lgamma(Double(number) + shape) - lgamma(shape) - lgamma(Double(number) + 1)
        return sum
          + exp(ways + shape * log(shape / (shape + mean)) + Double(number) * log(mean / (shape + mean)))
      }
    }
    let range = errors.range
    #expect(share(upTo: range.lowerBound - 1) <= 0.05 && share(upTo: range.lowerBound) > 0.05)
    #expect(share(upTo: range.upperBound) >= 0.95 || range.upperBound == words)
    #expect(share(upTo: range.upperBound - 1) < 0.95)
    #expect(range.contains(errors.rounded))
  }

  /// What is left after the first ten unsure words, of which three of ten are wrong each.
  @Test(arguments: [
    (1, "Review the first unsure one, and hardly any is left."),
    (13, "Review the first 10 unsure ones, and about 1 is left."),
    (40, "Review the first 10 unsure ones, and about 9 are left."),
  ]) func reviewingTheFirstWordsLeavesTheOthers(words: Int, sentence: String) throws {
    try StoreFixture.temporary { store in
      var session = StoreFixture.session()
      session.model = ModelStamp(name: "whisper-base", sha256: nil)
      let id = try store.add([[String](repeating: "pawn", count: words).joined(separator: " ")], session)
      let unsure = try store.unsureWords(of: id)
      #expect(unsure.summary == "\(try #require(unsure.expectedErrors)) \(sentence)")
      #expect(unsure.next(from: words - 1).count == 1)
    }
  }

  @Test func confirmedWordsAndEchoesAreNotExpectedToBeWrong() throws {
    try StoreFixture.temporary { store in
      var session = StoreFixture.session()
      session.model = ModelStamp(name: "whisper-base", sha256: nil)
      let id = try store.add(["take the pawn"], session)
      let before = try store.unsureWords(of: id, below: 0.8)
      #expect(before.words.map(\.confidence) == [0.7, 0.7, 0.7])
      #expect(before.expectedErrors == (try store.transcript(of: id)).expectedErrors)
      #expect(before.expectedErrors?.words == 3)
      try store.correct(1..<2, to: "the", of: 0, in: id)
      #expect(try store.unsureWords(of: id, below: 0.8).expectedErrors?.words == 2)
    }
  }
}
