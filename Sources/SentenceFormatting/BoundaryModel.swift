import Foundation

/// The probability of a mark after a word: logistic regression over ``BoundaryEvidence``.
///
/// `Benchmarks/Sentences/train.py` fits the weights on 44 minutes of two readers (LibriSpeech, CC BY 4.0), as
/// PocketSphinx recognizes them, and prints what they are worth on recordings that they were not fitted on.
struct BoundaryModel: Sendable {
  /// Whether a sentence ends.
  static let end = BoundaryModel(weights: [
    -3.628, 0.123, -0.049, 0.084, 0.690, 0.363, 1.437, 0.528, 2.469, 0.383, 0.333, -0.261, 1.648,
  ])
  /// Whether there is any mark.
  static let mark = BoundaryModel(weights: [
    -0.220, 0.645, 0.988, -0.400, 0.961, 0.734, 0.648, -0.527, 1.269, 0.785, -0.105, 0.598, 0.986,
  ])

  let weights: [Double]

  func probability(of evidence: [Double]) -> Double {
    1 / (1 + exp(-zip(weights, evidence).reduce(0) { $0 + $1.0 * $1.1 }))
  }
}
