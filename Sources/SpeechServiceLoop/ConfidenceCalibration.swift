import Foundation
import SpeechServiceProtocol

/// Turns what a recognizer knows of its words into probabilities that the words are right.
///
/// A recognizer compares a word with what else it considered, so it is too sure where all of that is wrong. A
/// logistic function of a few measures corrects this. `Benchmarks/Confidence/calibrate.py` fits the weights, and has
/// the same measures.
package struct ConfidenceCalibration: Sendable, Equatable {
  package var constant: Double
  /// Of the logarithm of the odds of the word's confidence.
  package var own: Double
  /// Of the logarithms of the odds of the words before and after it.
  package var neighbours: Double
  /// Of the average confidence of the hypothesis.
  package var average: Double
  /// Of the logarithm of the word's length, relative to the length that its letters usually take.
  package var length: Double
  /// For a word that the recognizer writes as a whole. Those that it spells in parts are rare words, and words that do not exist.
  package var whole: Double

  package init(
    constant: Double, own: Double, neighbours: Double, average: Double, length: Double, whole: Double
  ) {
    self.constant = constant
    self.own = own
    self.neighbours = neighbours
    self.average = average
    self.length = length
    self.whole = whole
  }

  /// Odds are at most a thousand to one.
  private static let margin = 1e-3
  /// Seconds that a word takes, and each of its letters.
  private static let usualLength = (word: 0.04, letter: 0.065)

  /// The words with their probabilities.
  /// - Parameter isWhole: whether the recognizer writes a word, without the marks around it, as a whole.
  package func calibrated(
    _ words: [ServiceHypothesis.Word], isWhole: (String) -> Bool = { _ in true }
  ) -> [ServiceHypothesis.Word] {
    let odds = words.map { Self.logarithmOfOdds($0.confidence ?? 0) }
    let mean = words.reduce(0) { $0 + ($1.confidence ?? 0) } / Double(max(1, words.count))
    // The edge of an utterance is as sure as a word can be.
    let edge = Self.logarithmOfOdds(1)
    var result = words
    for (index, word) in words.enumerated() {
      let sides = (index > 0 ? odds[index - 1] : edge) + (index + 1 < odds.count ? odds[index + 1] : edge)
      let usual = Self.usualLength.word + Self.usualLength.letter * Double(word.text.count)
      let relative = log(max(0.01, word.end - word.start) / usual)
      let bare = word.text.trimmingCharacters(in: .alphanumerics.inverted)
      let sum =
        constant + own * odds[index] + neighbours * sides + average * mean + length * relative
        + (whole != 0 && isWhole(bare) ? whole : 0)
      result[index].probability = 1 / (1 + exp(-sum))
    }
    return result
  }

  private static func logarithmOfOdds(_ probability: Double) -> Double {
    let limited = min(1 - margin, max(margin, probability))
    return log(limited / (1 - limited))
  }
}

extension ConfidenceCalibration {
  /// For PocketSphinx 5.1.1 and its model for American English.
  ///
  /// Source: 3,801 words of 167 clips by 7 speakers (readers, telephone prompts, British and non-native speakers). For
  /// the speakers that were left out, the expected calibration error is 0.011; that of the posteriors is 0.125.
  package static let pocketSphinx = ConfidenceCalibration(
    constant: -0.193, own: 0.371, neighbours: 0.059, average: 1.051, length: -0.591, whole: 0)

  /// For Whisper *base* with whisper.cpp 1.8.5, in English.
  ///
  /// Source: 7,116 words by 7 speakers: 66 minutes by two readers, and 38 clips of others, British and non-native. For the
  /// speakers that were left out, the expected calibration error is 0.005; that of the tokens' probabilities is 0.039. With the
  /// average confidence and the number of letters it is the same.
  package static let whisper = ConfidenceCalibration(
    constant: -0.609, own: 0.842, neighbours: 0.159, average: 0, length: 0, whole: 1.143)
}
