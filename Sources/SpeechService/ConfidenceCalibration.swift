import Foundation
import SpeechServiceProtocol

/// Turns the posteriors of a recognizer's words into probabilities that the words are right.
///
/// A posterior compares a word with what else the recognizer considered, so it is too high where all of that is wrong. A
/// logistic function of a few measures corrects this.
struct ConfidenceCalibration {
  /// For PocketSphinx 5.1.1 and its model for American English.
  ///
  /// Source: 3,801 words of 167 clips by 7 speakers (readers, telephone prompts, British and non-native speakers), with
  /// the measures of `Benchmarks/Confidence/calibrate.py`. For the speakers that were left out, the expected calibration
  /// error is 0.011; that of the posteriors is 0.125.
  static let pocketSphinx = ConfidenceCalibration(
    constant: -0.193, own: 0.371, neighbours: 0.059, average: 1.051, length: -0.591)

  let constant: Double
  /// Of the logarithm of the odds of the word's posterior.
  let own: Double
  /// Of the logarithms of the odds of the words before and after it.
  let neighbours: Double
  /// Of the average posterior of the hypothesis.
  let average: Double
  /// Of the logarithm of the word's length, relative to the length that its letters usually take.
  let length: Double

  /// Odds are at most a thousand to one.
  private static let margin = 1e-3
  /// Seconds that a word takes, and each of its letters.
  private static let usualLength = (word: 0.04, letter: 0.065)

  /// The words with their probabilities.
  func calibrated(_ words: [ServiceHypothesis.Word]) -> [ServiceHypothesis.Word] {
    let odds = words.map { Self.logarithmOfOdds($0.confidence ?? 0) }
    let mean = words.reduce(0) { $0 + ($1.confidence ?? 0) } / Double(max(1, words.count))
    // The edge of an utterance is as sure as a word can be.
    let edge = Self.logarithmOfOdds(1)
    var result = words
    for (index, word) in words.enumerated() {
      let sides = (index > 0 ? odds[index - 1] : edge) + (index + 1 < odds.count ? odds[index + 1] : edge)
      let usual = Self.usualLength.word + Self.usualLength.letter * Double(word.text.count)
      let relative = log(max(0.01, word.end - word.start) / usual)
      let sum = constant + own * odds[index] + neighbours * sides + average * mean + length * relative
      result[index].probability = 1 / (1 + exp(-sum))
    }
    return result
  }

  private static func logarithmOfOdds(_ probability: Double) -> Double {
    let limited = min(1 - margin, max(margin, probability))
    return log(limited / (1 - limited))
  }
}
