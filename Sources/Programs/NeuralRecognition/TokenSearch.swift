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
