extension SFCustomLanguageModelData {
  /// How a word sounds.
  public struct CustomPronunciation: Hashable, Sendable, CustomStringConvertible, Codable, DataInsertable {
    /// The word as it is written.
    public let grapheme: String
    /// Pronunciations, each of X-SAMPA symbols parted by spaces (`supportedPhonemes(locale:)`).
    public let phonemes: [String]

    /// A word and its pronunciations.
    public init(grapheme: String, phonemes: [String]) {
      self.grapheme = grapheme
      self.phonemes = phonemes
    }

    /// The word and its pronunciations.
    public var description: String { "\(grapheme) [\(phonemes.joined(separator: ", "))]" }

    /// Adds this to the data.
    public func insert(data: SFCustomLanguageModelData) { data.insert(term: self) }

    private enum CodingKeys: CodingKey { case grapheme, phonemes }

    /// Writes both.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(grapheme, forKey: .grapheme)
      try container.encode(phonemes, forKey: .phonemes)
    }
  }
}
