import Foundation
import SpeechServiceLoop
import SpeechServiceProtocol
import Testing

@Suite struct ConfidenceCalibrationTests {
  /// The logarithm of the largest odds.
  private static let limit = log(999.0)

  private let words = [
    ServiceHypothesis.Word(text: "“two,", start: 0, end: 0.365, confidence: 0.9),
    ServiceHypothesis.Word(text: "days", start: 0.4, end: 1, confidence: 0.5),
    ServiceHypothesis.Word(text: "ago", start: 1.1, end: 1.335, confidence: nil),
  ]

  @Test(
    arguments: [
      (0, [1, 1, 1]), (1, [log(9), 0, -limit]),
      // The edges count as sure, and a word without a confidence as wrong.
      (2, [limit, log(9) - limit, limit]), (3, [1.4 / 3, 1.4 / 3, 1.4 / 3]),
      // Three characters usually take 0.235 s, four 0.3 s, five 0.365 s.
      (4, [0, log(2), 0]), (5, [1, 0, 1]),
    ] as [(Int, [Double])])
  func eachMeasureHasItsWeight(_ measure: Int, _ expected: [Double]) {
    var weights = [Double](repeating: 0, count: 6)
    weights[measure] = 1
    let calibration = ConfidenceCalibration(
      constant: weights[0], own: weights[1], neighbours: weights[2], average: weights[3], length: weights[4],
      whole: weights[5])
    let found = calibration.calibrated(words) { ["two", "ago"].contains($0) }.compactMap(\.probability)
    #expect(found.count == expected.count)
    for (probability, odds) in zip(found, expected) {
      #expect(abs(log(probability / (1 - probability)) - odds) < 1e-9)
    }
  }

  @Test func noWordsHaveNoProbabilities() {
    #expect(ConfidenceCalibration.whisper.calibrated([]).isEmpty)
  }

  @Test(arguments: [ConfidenceCalibration.whisper, .pocketSphinx])
  func aSureWordIsLikelierThanAnUnsureOne(_ calibration: ConfidenceCalibration) {
    let found = calibration.calibrated(words).compactMap(\.probability)
    #expect(found.count == 3)
    #expect(found == found.sorted(by: >))
    #expect(found.allSatisfy { (0...1).contains($0) })
  }
}
