/// What became of a term of a vocabulary that voices said.
package struct SpokenTermOutcome: Sendable, Hashable, Encodable {
  /// The term, as it is written.
  package var term: String
  /// How many voices said it.
  package var voices: Int
  /// In how many of these it was found with the vocabulary.
  package var found: Int
  /// In how many it was found without the vocabulary; nil if that was not tried.
  package var foundWithout: Int?
  /// What was written in its place, without marks and capitals, the most frequent first.
  package var heard: [String]
  /// What may help; nil if it was found in all.
  package var remedy: String?
}
