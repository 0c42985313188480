/// In JSON the counts stand with `errors` and `rate`, so that a reader need not calculate. `rate` is absent where it is
/// infinite, which JSON cannot write.
extension WordErrorRate: Codable {
  private enum CodingKeys: String, CodingKey {
    case substitutions, deletions, insertions, referenceWords, errors, rate
  }

  /// Reads the counts; what is derived of them is calculated anew.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      substitutions: try container.decode(Int.self, forKey: .substitutions),
      deletions: try container.decode(Int.self, forKey: .deletions),
      insertions: try container.decode(Int.self, forKey: .insertions),
      referenceWords: try container.decode(Int.self, forKey: .referenceWords))
  }

  /// Writes the counts and what is derived of them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(substitutions, forKey: .substitutions)
    try container.encode(deletions, forKey: .deletions)
    try container.encode(insertions, forKey: .insertions)
    try container.encode(referenceWords, forKey: .referenceWords)
    try container.encode(errors, forKey: .errors)
    if rate.isFinite { try container.encode(rate, forKey: .rate) }
  }
}
