import Foundation
import RecognitionProtocol

/// Turns a recognizer's measures of its words into probabilities that the words are right.
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
  package var average = 0.0
  /// Of the logarithm of the word's length, relative to the length that its letters usually take.
  package var length = 0.0
  /// For a word that is one token of the recognizer. A rare word, or one that does not exist, takes several.
  package var whole = 0.0
  /// Of the logarithm of the word's seconds.
  package var duration = 0.0
  /// Of the highest confidence of another word that a hypothesis has in the word's place; 0 if all have the word.
  package var rival = 0.0
  /// Of the logarithm of the odds of the probability that a second network gives the word.
  package var second = 0.0
  /// Of the same of the words before and after it.
  package var secondNeighbours = 0.0
  /// Of the logarithm of the odds of the shares together of the hypotheses that have the word in its place (`share`).
  package var shared = 0.0

  /// The logarithm of the odds for a word about which the second network was not asked, because the first one is sure of it.
  private static let notAsked = 5.0
  /// Odds are at most a thousand to one.
  private static let margin = 1e-3
  /// Seconds that a word takes, and each of its letters.
  private static let usualLength = (word: 0.04, letter: 0.065)

  /// Seconds between the middles of the same word in two hypotheses, at most.
  private static let tolerance = 0.4

  /// The words with their probabilities.
  /// - Parameters:
  ///   - others: the other hypotheses for the same audio.
  ///   - isWhole: whether the recognizer writes a word, without the marks around it, as a whole.
  package func calibrated(
    _ words: [ServiceHypothesis.Word], beside others: [ServiceHypothesis] = [],
    isWhole: (String) -> Bool = { _ in true }
  ) -> [ServiceHypothesis.Word] {
    let odds = words.map { Self.logarithmOfOdds($0.confidence ?? 0) }
    let second = words.map { $0.second.map(Self.logarithmOfOdds) ?? Self.notAsked }
    let mean = words.reduce(0) { $0 + ($1.confidence ?? 0) } / Double(max(1, words.count))
    // The edge of an utterance is as sure as a word can be.
    let edge = Self.logarithmOfOdds(1)
    var result = words
    for (index, word) in words.enumerated() {
      func sides(_ odds: [Double]) -> Double {
        (index > 0 ? odds[index - 1] : edge) + (index + 1 < odds.count ? odds[index + 1] : edge)
      }
      let usual = Self.usualLength.word + Self.usualLength.letter * Double(word.text.count)
      let relative = log(max(0.01, word.end - word.start) / usual)
      let bare = word.text.trimmingCharacters(in: .alphanumerics.inverted)
      let sum =
        constant + own * odds[index] + neighbours * sides(odds) + average * mean + length * relative
        + (whole != 0 && isWhole(bare) ? whole : 0) + duration * log(max(0.02, word.end - word.start))
        + (rival != 0 ? rival * Self.rival(of: word, in: others) : 0)
        + self.second * second[index] + secondNeighbours * sides(second)
        + (shared != 0 ? shared * Self.logarithmOfOdds(Self.share(of: word, in: others)) : 0)
      result[index].probability = 1 / (1 + exp(-sum))
    }
    return result
  }

  /// The highest confidence of another word in a word's place.
  private static func rival(of word: ServiceHypothesis.Word, in others: [ServiceHypothesis]) -> Double {
    others.reduce(0) { highest, other in
      if has(other, word) { return highest }
      let nearest = other.words.min { distance($0, word) < distance($1, word) }
      return max(highest, nearest?.confidence ?? 0)
    }
  }

  /// The shares together of the hypotheses that have a word in its place; 1 if none was compared.
  private static func share(of word: ServiceHypothesis.Word, in others: [ServiceHypothesis]) -> Double {
    guard others.contains(where: { $0.share != nil }) else { return 1 }
    return others.reduce(0) { $0 + (has($1, word) ? $1.share ?? 0 : 0) }
  }

  private static func has(_ hypothesis: ServiceHypothesis, _ word: ServiceHypothesis.Word) -> Bool {
    let text = word.text.letters
    return hypothesis.words.contains { distance($0, word) < tolerance && $0.text.letters == text }
  }

  private static func distance(_ one: ServiceHypothesis.Word, _ other: ServiceHypothesis.Word) -> Double {
    abs(one.start + one.end - other.start - other.end) / 2
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

  /// For Whisper *base* with whisper.cpp 1.8.5, in English, where no second network is asked.
  ///
  /// Source: 7,681 words by 7 speakers: 66 minutes by two readers, and clips of others, British and non-native. For the
  /// speakers that were left out, the expected calibration error is 0.005; that of the tokens' probabilities is 0.039. The
  /// bounds of `ReplacementEvidence` were fitted with these probabilities.
  package static let whisper = ConfidenceCalibration(
    constant: 0.181, own: 0.694, neighbours: 0.211, whole: 1.81, duration: 1.007, rival: -1.478)

  /// The same where *tiny.en* is asked (see `SecondOpinion`): in 81 % of the words' texts.
  ///
  /// Source: 7,883 words by 7 speakers: 44 minutes of two readers, and clips of others, British and non-native. For the speakers
  /// that were left out, the expected calibration error is 0.005; that of the tokens' probabilities is 0.046.
  package static let whisperWithWitness = ConfidenceCalibration(
    constant: -0.37, own: 0.141, neighbours: 0, whole: 1.619, duration: 0.94, rival: -0.998, second: 0.496,
    secondNeighbours: 0.218, shared: 0.155)

  /// For Whisper *base* in languages other than English.
  ///
  /// Source: 5,232 words of telephone prompts by one voice each in French, Spanish, Italian and Russian. For the languages that were
  /// left out, the expected calibration error is 0.008 together and up to 0.043 alone; that of the tokens' probabilities is 0.061
  /// and up to 0.093.
  package static let whisperInOtherLanguages = ConfidenceCalibration(
    constant: 1.18, own: 0.675, neighbours: 0, rival: -1.839)
}
