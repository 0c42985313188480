import Foundation

/// The probability of a mark after a word: logistic regression over ``BoundaryEvidence``.
///
/// `Benchmarks/Sentences/train.py` fits the weights on 44 minutes of two readers (LibriSpeech, CC BY 4.0), as
/// PocketSphinx recognizes them, and prints what they are worth on recordings that they were not fitted on.
struct BoundaryModel: Sendable {
  /// Whether a sentence ends.
  static let end = BoundaryModel(weights: [
    -3.893, 0.093, -0.212, -0.004, 0.616, 0.285, 1.431, 0.669, 2.200, 0.120, 0.175, 0.109, 0.837, -0.850,
    -0.914,
    0.452, 0.906, -0.132, -0.364, 0.180, -0.088, 0.077,
  ])
  /// Whether there is any mark.
  static let mark = BoundaryModel(weights: [
    -0.735, 0.593, 1.052, -0.481, 0.916, 0.695, 0.583, -0.432, 1.139, 0.529, 0.293, 1.115, -0.737, 0.267,
    1.445,
    0.412, -0.035, -0.811, -0.952, 0.293, -0.427, 0.511,
  ])

  let weights: [Double]

  func probability(of evidence: [Double]) -> Double {
    1 / (1 + exp(-zip(weights, evidence).reduce(0) { $0 + $1.0 * $1.1 }))
  }
}
