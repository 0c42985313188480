/// What a network recognized in an utterance, token by token.
struct RecognizedTokens: Equatable {
  /// One token.
  struct Token: Equatable {
    /// Its bytes: a token can be a part of a character.
    var bytes: [UInt8]
    /// Seconds from the start of the audio; nil if the network gives no times.
    var start: Double?
    /// Seconds; nil if the network gives none.
    var duration: Double?
    /// The logarithm of its probability; nil if the network gives none.
    var logProbability: Double?
  }

  var tokens: [Token]

  /// Subtracts what the search added to the logarithm of each probability.
  mutating func removeBonus(_ bonus: Double) {
    for index in tokens.indices { tokens[index].logProbability? -= bonus }
  }

  /// Nothing recognized.
  static let none = RecognizedTokens(tokens: [])
}
