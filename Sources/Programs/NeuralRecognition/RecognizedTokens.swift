import RecognitionProtocol

/// What a network recognized in an utterance, token by token.
package struct RecognizedTokens: Equatable {
  /// One token.
  package struct Token: Equatable {
    /// Its bytes: a token can be a part of a character.
    package var bytes: [UInt8]
    /// Seconds from the start of the audio; nil if the network gives no times.
    package var start: Double?
    /// Seconds; nil if the network gives none.
    package var duration: Double?
    /// The logarithm of its probability; nil if the network gives none.
    package var logProbability: Double?
    /// The logarithm of the probability that a second network gives it; nil if none was asked.
    package var secondLogProbability: Double?

    package init(bytes: [UInt8], start: Double?, duration: Double? = nil, logProbability: Double? = nil) {
      (self.bytes, self.start, self.duration, self.logProbability) = (bytes, start, duration, logProbability)
    }
  }

  package var tokens: [Token]

  /// Whether no token lasts through a pause, where those of the engine do.
  package var hasPauses = false

  /// How they were found.
  package var source = ServiceHypothesis.Source.best

  /// How much likelier than the outvoted text an elected one is, as a logarithm.
  package var election: Double?

  /// How likely the text is among those that a second network compared, 0 to 1; nil if it was not compared.
  package var share: Double?

  /// The language, if the network found it.
  package var language: ServiceHypothesis.Language?

  package init(tokens: [Token], language: ServiceHypothesis.Language? = nil) {
    (self.tokens, self.language) = (tokens, language)
  }

  /// Subtracts what the search added to the logarithm of each probability.
  package mutating func removeBonus(_ bonus: Double) {
    for index in tokens.indices { tokens[index].logProbability? -= bonus }
  }

  /// Nothing recognized.
  package static let none = RecognizedTokens(tokens: [])
}

extension [UInt8] {
  /// Whether a token consists of marks of the word before it, which are not said, such as `,` and `。`. A part of a character is
  /// none, nor is what opens a quotation in other writing than English: that belongs to the next word.
  package var isMark: Bool {
    guard !isEmpty, let text = String(validating: self, as: UTF8.self) else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .dashPunctuation, .closePunctuation, .finalPunctuation: true
      case .openPunctuation: scalar == "("
      // These begin a word, or are said: "and", "at", "percent", and what a star hides.
      case .otherPunctuation: !"¿¡&@%#*/\\‰‱§¶†‡＆＠％＃＊／＼".unicodeScalars.contains(scalar)
      default: false
      }
    }
  }
}
