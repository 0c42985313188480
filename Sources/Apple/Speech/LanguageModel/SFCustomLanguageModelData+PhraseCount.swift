extension SFCustomLanguageModelData {
  /// Something that is said, and how often in relation to everything else.
  public struct PhraseCount: Hashable, Sendable, CustomStringConvertible, Codable, DataInsertable {
    /// The words, parted by spaces.
    public let phrase: String
    /// How often; at least 1.
    public let count: Int

    /// A phrase and its count.
    public init(phrase: String, count: Int) {
      self.phrase = phrase
      self.count = count
    }

    /// The count and the phrase.
    public var description: String { "\(count) × \(phrase)" }

    /// Adds this to the data.
    public func insert(data: SFCustomLanguageModelData) { data.insert(phraseCount: self) }

    private enum CodingKeys: CodingKey { case phrase, count }

    /// Writes both.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(phrase, forKey: .phrase)
      try container.encode(count, forKey: .count)
    }
  }
}
