/// A decoder that writes one token after the other.
package protocol NextTokens: AnyObject {
  /// Appends a token to each of some sequences.
  /// - Returns: for each step the logarithms of the probabilities of the tokens that may follow, by token.
  /// - Throws: `NeuralError`.
  func next(_ steps: [TokenStep]) throws(NeuralError) -> [[Float]]
  /// Makes an unused sequence the same as another.
  func copy(_ sequence: Int, to other: Int)
  /// Forgets a sequence.
  func remove(_ sequence: Int)
}

/// A token at its position in a sequence.
package struct TokenStep: Equatable {
  package var token: Int
  package var position: Int
  package var sequence: Int

  package init(token: Int, position: Int, sequence: Int = 0) {
    (self.token, self.position, self.sequence) = (token, position, sequence)
  }
}

/// What may be written.
package struct TokenRules: Equatable {
  /// The token that ends a text.
  package var end: Int
  /// Tokens that do not begin a text, such as a space alone.
  package var notFirst: Set<Int>
  /// The most tokens of a text.
  package var maxTokens: Int

  package init(end: Int, notFirst: Set<Int> = [], maxTokens: Int) {
    (self.end, self.notFirst, self.maxTokens) = (end, notFirst, maxTokens)
  }

  /// Tokens that any window may have, and more for each second. Vocabularies are made for English. In other writing a letter can
  /// take several tokens: Tamil has 20 in a second, and Georgian 40.
  private static let most = (any: 24, eachInEnglish: 12.0, each: 48.0)

  /// The most tokens of the text of a window.
  /// - Parameters:
  ///   - context: the most tokens that the model takes. English needs half of them.
  ///   - prompt: how many are before the text; the end of the text is another one.
  package static func maxTokens(
    in seconds: Double, isEnglish: Bool, context: Int, after prompt: Int
  ) -> Int {
    isEnglish
      ? min(context / 2, most.any + Int(most.eachInEnglish * seconds))
      : min(context - prompt - 1, most.any + Int(most.each * seconds))
  }
}

/// A text of tokens that a search found.
package struct TokenSequence: Equatable {
  package var tokens: [Int] = []
  /// The logarithm of each token's probability, and of the end's, if it was reached.
  package var logProbabilities: [Float] = []
  /// Whether the text came to its end within the most tokens.
  package var isComplete = false
  /// What a preference for phrases added; it is in none of the probabilities.
  package var bonus: Float = 0
  /// Other texts with the same letters that the search found: with other marks and capitals.
  package var forms: [[Int]] = []

  package init() {}

  /// The logarithm of the probability of the whole text.
  package var logProbability: Float { logProbabilities.reduce(0, +) }

  /// The mean logarithm of the probabilities; 0 if there is none.
  package var meanLogProbability: Double {
    logProbabilities.isEmpty
      ? 0 : Double(logProbabilities.reduce(0, +)) / Double(logProbabilities.count)
  }
}
