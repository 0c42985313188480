/// What a language model made of a transcript.
public struct NormalizationModelAnswer: Sendable, Hashable, Codable {
  /// The transcript as its domain writes it.
  public var normalizedText: String
  /// The names that were said.
  public var extractedTerms: [String]

  /// Each field by its name.
  public init(normalizedText: String, extractedTerms: [String]) {
    self.normalizedText = normalizedText
    self.extractedTerms = extractedTerms
  }
}
