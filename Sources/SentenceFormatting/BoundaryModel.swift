import Foundation

/// The probability of a mark after a word: logistic regression over ``BoundaryEvidence``.
///
/// `Benchmarks/Sentences/train.py` fits the weights on 44 minutes of two readers (LibriSpeech, CC BY 4.0), as
/// PocketSphinx recognizes them, and prints what they are worth on recordings that they were not fitted on.
struct BoundaryModel: Sendable {
  /// Whether a sentence ends.
  static let end = BoundaryModel(weights: [
    -3.359, 0.104, -0.095, 0.003, 0.651, 0.386, 1.333, 0.442, 2.396, 0.329, 0.157, 0.341, -0.264, -0.057,
    1.163,
  ])
  /// Whether there is any mark.
  static let mark = BoundaryModel(weights: [
    0.071, 0.614, 0.988, -0.552, 0.928, 0.726, 0.543, -0.596, 1.169, 0.744, 0.206, -0.106, 0.599, -0.033,
    0.642,
  ])

  let weights: [Double]

  func probability(of evidence: [Double]) -> Double {
    1 / (1 + exp(-zip(weights, evidence).reduce(0) { $0 + $1.0 * $1.1 }))
  }
}
