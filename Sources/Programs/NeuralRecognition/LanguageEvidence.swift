import Foundation

/// How likely a decoder finds each of its languages, by what audio sounds like.
package struct LanguageEvidence {
  /// A language that is this likely is the one that is spoken.
  private static let sure = 0.8
  /// How many times as likely as another language the likeliest one is that is surely spoken instead of it.
  private static let clear = 5.0
  /// The most languages in which a text is tried.
  private static let maxCandidates = 3
  /// What the sound counts beside the text, at least and for each second: in a long text, a language that the network has often
  /// heard looks likelier than a similar one that is spoken.
  private static let weight = (least: 0.25, each: 0.2)

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

  /// The languages that may be spoken, the likeliest first: one if that is clear, or if it is the expected one.
  package func candidates(expecting own: Int) -> [(index: Int, probability: Double)] {
    guard let likeliest, likeliest.index != own, !isClear else { return likeliest.map { [$0] } ?? [] }
    return probabilities.enumerated().filter { $0.element * Self.clear >= likeliest.probability }
      .sorted { $0.element > $1.element }.prefix(Self.maxCandidates).map { ($0.offset, $0.element) }
  }

  /// How likely speech is in a language, for comparison with the others.
  /// - Parameters:
  ///   - mean: how likely the text is in this language, as the mean logarithm of its tokens.
  ///   - probability: that of the language, by its sound.
  ///   - seconds: the length of the speech.
  package static func score(_ mean: Double, _ probability: Double, seconds: Double) -> Double {
    mean + max(weight.least, weight.each * seconds) * log(probability)
  }
}
