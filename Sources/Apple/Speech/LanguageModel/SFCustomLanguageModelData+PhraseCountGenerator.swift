extension SFCustomLanguageModelData {
  /// Makes phrases when the data is exported. This class makes none; its subclasses do.
  public class PhraseCountGenerator: Hashable, Codable, AsyncSequence, DataInsertable {
    /// What iterates over the phrases.
    public typealias AsyncIterator = SFCustomLanguageModelData.PhraseCountGenerator.Iterator
    /// What is generated.
    public typealias Element = SFCustomLanguageModelData.PhraseCount

    /// Gives one phrase after the other.
    public class Iterator: AsyncIteratorProtocol {
      /// What is generated.
      public typealias Element = SFCustomLanguageModelData.PhraseCount

      init() {}

      /// The next phrase; nil after the last.
      public func next() async throws -> SFCustomLanguageModelData.PhraseCount? { nil }
    }

    /// A generator of nothing.
    public init() {}

    /// A new iterator, at the first phrase.
    public func makeAsyncIterator() -> SFCustomLanguageModelData.PhraseCountGenerator.Iterator { Iterator() }

    /// Adds this to the data.
    public func insert(data: SFCustomLanguageModelData) { data.insert(phraseCountGenerator: self) }

    /// Whether `other` makes the same phrases.
    func isEqual(to other: PhraseCountGenerator) -> Bool { type(of: self) == type(of: other) }

    /// Whether both are of one class and make the same phrases.
    public static func == (lhs: PhraseCountGenerator, rhs: PhraseCountGenerator) -> Bool {
      lhs === rhs || lhs.isEqual(to: rhs)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type(of: self))) }

    /// Writes nothing.
    public func encode(to encoder: any Encoder) throws {}

    /// Reads nothing.
    required public init(from decoder: any Decoder) throws {}
  }
}
