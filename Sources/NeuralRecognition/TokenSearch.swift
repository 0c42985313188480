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
    self.token = token
    self.position = position
    self.sequence = sequence
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
    self.end = end
    self.notFirst = notFirst
    self.maxTokens = maxTokens
  }
}

/// A text of tokens that a search found.
package struct TokenSequence: Equatable {
  package var tokens: [Int] = []
  /// The logarithm of each token's probability, and of the end's, if it was reached.
  package var logProbabilities: [Float] = []
  /// Whether the text came to its end within the most tokens.
  package var isComplete = false

  package init() {}

  /// The mean logarithm of the probabilities; 0 if there is none.
  package var meanLogProbability: Double {
    logProbabilities.isEmpty
      ? 0 : Double(logProbabilities.reduce(0, +)) / Double(logProbabilities.count)
  }
}

/// A search that takes the best token at each step.
package enum GreedySearch {
  /// Continues a prompt.
  /// - Parameters:
  ///   - row: the logarithms of the probabilities of the first token.
  ///   - position: the first token's position in sequence 0.
  package static func sequence(
    first row: [Float], at position: Int, rules: TokenRules, of decoder: some NextTokens
  ) throws(NeuralError) -> TokenSequence {
    var found = TokenSequence()
    var row = row
    while let best = best(row, without: found.tokens.isEmpty ? rules.notFirst : []) {
      if best == rules.end || found.tokens.count < rules.maxTokens {
        found.logProbabilities.append(row[best])
      }
      if best == rules.end {
        found.isComplete = true
        break
      }
      guard found.tokens.count < rules.maxTokens else { break }
      found.tokens.append(best)
      let step = TokenStep(token: best, position: position + found.tokens.count - 1)
      guard let next = try decoder.next([step]).first else { break }
      row = next
    }
    return found
  }

  /// The likeliest token; the first of equal ones. What is not a number is never taken.
  private static func best(_ row: [Float], without excluded: Set<Int>) -> Int? {
    // By the address: without optimization, as in tests, the elements of an array take longer than the decoder.
    row.withUnsafeBufferPointer { row in
      guard let values = row.baseAddress else { return nil }
      var best: Int?
      var most = -Float.infinity
      var token = 0
      while token < row.count {
        if values[token] > most, !excluded.contains(token) {
          best = token
          most = values[token]
        }
        token += 1
      }
      return best
    }
  }
}
