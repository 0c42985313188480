import Foundation
@testable import ServiceSupport
import RecognitionProtocol
import Testing

@Suite struct ConfidenceCalibrationTests {
  /// The logarithm of the largest odds.
  private static let limit = log(999.0)

  /// The second network was not asked about the last one.
  private let words = {
    var words = [
      ServiceHypothesis.Word(text: "“two,", start: 0, end: 0.365, confidence: 0.9),
      ServiceHypothesis.Word(text: "days", start: 0.4, end: 1, confidence: 0.5),
      ServiceHypothesis.Word(text: "ago", start: 1.1, end: 1.335, confidence: nil),
    ]
    (words[0].second, words[1].second) = (0.75, 0.2)
    return words
  }()

  @Test(
    arguments: [
      (0, [1, 1, 1]), (1, [log(9), 0, -limit]),
      // The edges count as sure, and a word without a confidence as wrong.
      (2, [limit, log(9) - limit, limit]), (3, [1.4 / 3, 1.4 / 3, 1.4 / 3]),
      // Three characters usually take 0.235 s, four 0.3 s, five 0.365 s.
      (4, [0, log(2), 0]), (5, [1, 0, 1]),
      (6, [log(0.365), log(0.6), log(0.235)]),
      // The first word stands in both other texts, with other marks; in place of the second one has "daze", and of the third
      // one has nothing near.
      (7, [0, 0.3, 0.3]),
      (8, [log(3), -log(4), 5]), (9, [limit - log(4), log(3) + 5, limit - log(4)]),
      // Three texts were compared; the one without a share was not.
      (10, [limit, log(4), log(1.5)]),
    ] as [(Int, [Double])])
  func eachMeasureHasItsWeight(_ measure: Int, _ expected: [Double]) {
    var weights = [Double](repeating: 0, count: 11)
    weights[measure] = 1
    let calibration = ConfidenceCalibration(
      constant: weights[0], own: weights[1], neighbours: weights[2], average: weights[3], length: weights[4],
      whole: weights[5], duration: weights[6], rival: weights[7], second: weights[8],
      secondNeighbours: weights[9], shared: weights[10])
    let others = [
      text([word("Two", 0.05, 0.3, 0.8), word("days", 0.4, 1, 0.5), word("ago", 1.1, 1.3, 0.2)], share: 0.6),
      text([word("two", 0, 0.4, 0.7), word("daze", 0.4, 1, 0.3)], share: 0.2),
      text([word("two", 0, 0.4, 0), word("days", 0.4, 1, 0)], share: 0.2),
      text([], share: nil),
    ]
    let found = calibration.calibrated(words, beside: others) { ["two", "ago"].contains($0) }
      .compactMap(\.probability)
    #expect(found.count == expected.count)
    for (probability, odds) in zip(found, expected) {
      #expect(abs(log(probability / (1 - probability)) - odds) < 1e-9)
    }
  }

  private func text(_ words: [ServiceHypothesis.Word], share: Double?) -> ServiceHypothesis {
    var text = ServiceHypothesis(words: words, confidence: nil)
    text.share = share
    return text
  }

  private func word(
    _ text: String, _ start: Double, _ end: Double, _ confidence: Double
  ) -> ServiceHypothesis.Word { .init(text: text, start: start, end: end, confidence: confidence) }

  @Test func noWordsHaveNoProbabilities() {
    #expect(ConfidenceCalibration.whisper.calibrated([]).isEmpty)
  }

  @Test(arguments: [
    ConfidenceCalibration.whisper, .whisperWithWitness, .whisperInOtherLanguages, .pocketSphinx,
  ])
  func aSureWordIsLikelierThanAnUnsureOne(_ calibration: ConfidenceCalibration) {
    var words = words
    words[2].second = 0.1
    let found = calibration.calibrated(words).compactMap(\.probability)
    #expect(found.count == 3)
    #expect(found == found.sorted(by: >))
    #expect(found.allSatisfy { (0...1).contains($0) })
  }
}
