import Foundation
import RecognitionProtocol

/// How likely a decoder finds each of its languages, by what audio sounds like.
package struct LanguageEvidence {
  /// A language that is this likely is the one that is spoken.
  private static let sure = 0.8
  /// How many times as likely as the expected language another one is that is surely spoken instead of it.
  private static let clear = 5.0

  /// The probability of each language, together 1.
  private let probabilities: [Double]

  /// - Parameter logProbabilities: those of the languages' tokens, in any scale.
  package init(logProbabilities: some Collection<Float>) {
    let most = logProbabilities.max() ?? 0
    let weights = logProbabilities.map { exp(Double($0 - most)) }
    let sum = weights.reduce(0, +)
    probabilities = weights.map { $0 / sum }
  }

  /// The likeliest language and its probability; nil if there are none.
  package var likeliest: (index: Int, probability: Double)? {
    probabilities.indices.max { probabilities[$0] < probabilities[$1] }.map { ($0, probabilities[$0]) }
  }

  /// Whether the sound clearly is that of one language.
  package var isClear: Bool { likeliest?.probability ?? 0 >= Self.sure }

  /// Whether the sound says surely which of two languages is spoken: the likeliest one, or the expected one.
  package func isSure(expecting own: Int) -> Bool {
    guard let likeliest else { return true }
    return likeliest.index == own || isClear
      || likeliest.probability > Self.clear * probabilities[own]
  }

  /// The probability of a language.
  package func probability(of index: Int) -> Double { probabilities[index] }
}
