/// In JSON the counts stand with `recall` and `precision`, which are absent where they are nil.
extension TermScore: Codable {
  private enum CodingKeys: String, CodingKey { case expected, found, correct, recall, precision }

  /// Reads the counts; what is derived of them is calculated anew.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      expected: try container.decode(Int.self, forKey: .expected),
      found: try container.decode(Int.self, forKey: .found),
      correct: try container.decode(Int.self, forKey: .correct))
  }

  /// Writes the counts and what is derived of them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(expected, forKey: .expected)
    try container.encode(found, forKey: .found)
    try container.encode(correct, forKey: .correct)
    try container.encodeIfPresent(recall, forKey: .recall)
    try container.encodeIfPresent(precision, forKey: .precision)
  }
}
