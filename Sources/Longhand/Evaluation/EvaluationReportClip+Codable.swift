/// In JSON the figures of a clip stand with `realTimeFactor`; those that are nil are absent.
extension EvaluationReport.Clip: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, wordErrorRate, firstChoice, oracle, normalized, terms, normalizedTerms, audioSeconds,
      processingSeconds, realTimeFactor
  }

  /// Reads the figures; what is derived of them is calculated anew.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      wordErrorRate: try container.decode(WordErrorRate.self, forKey: .wordErrorRate),
      firstChoice: try container.decodeIfPresent(WordErrorRate.self, forKey: .firstChoice),
      oracle: try container.decodeIfPresent(WordErrorRate.self, forKey: .oracle),
      normalized: try container.decodeIfPresent(WordErrorRate.self, forKey: .normalized),
      terms: try container.decodeIfPresent(TermScore.self, forKey: .terms),
      normalizedTerms: try container.decodeIfPresent(TermScore.self, forKey: .normalizedTerms),
      audioSeconds: try container.decodeIfPresent(Double.self, forKey: .audioSeconds),
      processingSeconds: try container.decodeIfPresent(Double.self, forKey: .processingSeconds))
  }

  /// Writes the figures and what is derived of them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(wordErrorRate, forKey: .wordErrorRate)
    try container.encodeIfPresent(firstChoice, forKey: .firstChoice)
    try container.encodeIfPresent(oracle, forKey: .oracle)
    try container.encodeIfPresent(normalized, forKey: .normalized)
    try container.encodeIfPresent(terms, forKey: .terms)
    try container.encodeIfPresent(normalizedTerms, forKey: .normalizedTerms)
    try container.encodeIfPresent(audioSeconds, forKey: .audioSeconds)
    try container.encodeIfPresent(processingSeconds, forKey: .processingSeconds)
    try container.encodeIfPresent(realTimeFactor, forKey: .realTimeFactor)
  }
}
