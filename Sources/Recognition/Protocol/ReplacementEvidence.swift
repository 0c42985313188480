import Foundation

/// How much speaks for words of a domain in the place of other words.
///
/// Where both sound the same, what the recognizer thinks of its own words decides. See docs/research-log.md, "Terms by their sound".
package enum ReplacementEvidence {
  /// No recognizer is surer than this.
  private static let bounds = 0.01...0.99

  /// The logarithm of the odds that the other words are wrong, and what the words of the domain fit the audio better by.
  /// - Parameters:
  ///   - words: the other words, with their confidences.
  ///   - gain: the score of the alignment with the words of the domain, less that with the other words.
  package static func of(_ words: ArraySlice<ServiceHypothesis.Word>, gain: Double) -> Double {
    let product = words.reduce(1) { $0 * ($1.confidence ?? 0) }
    let probability = min(max(product, bounds.lowerBound), bounds.upperBound)
    return log((1 - probability) / probability) + gain
  }
}
