import Foundation

/// What a domain sounds like and how it is written: the content of a vocabulary file.
public struct Vocabulary: Sendable, Hashable {
  /// A word or a name.
  public struct Term: Sendable, Hashable {
    /// As it is written.
    public var text: String
    /// How it sounds, in X-SAMPA symbols parted by spaces; empty lets its spelling say so.
    public var pronunciations: [String] = []
  }

  /// Something people say, or a pattern of it, and how often in relation to everything else.
  public struct CountedText: Sendable, Hashable {
    /// Words; in a pattern also names of classes within `<` and `>`.
    public var text: String
    /// At least 1.
    public var count: Int = 1
  }

  /// What a recognizer is known to write instead of what was said.
  public struct Correction: Sendable, Hashable {
    /// What it writes.
    public var heard: String
    /// What was said.
    public var text: String
  }

  /// What the domain is called.
  public var name: String
  /// The language (BCP 47).
  public var locale = "en-US"
  /// Words and names.
  public var terms: [Term] = []
  /// Things people say.
  public var phrases: [CountedText] = []
  /// Patterns over classes; the count is divided over all that a pattern stands for.
  public var templates: [CountedText] = []
  /// What the names in patterns stand for.
  public var classes: [String: [String]] = [:]
  /// What is known to be misheard.
  public var corrections: [Correction] = []
  /// Names as the reader's database spells them.
  public var entities: [String] = []

  /// An empty vocabulary of that name.
  public init(name: String) { self.name = name }

  /// Reads a vocabulary file: JSON5 in UTF-8.
  /// - Throws: `VocabularyError`, with the file and the place in it.
  public init(contentsOf file: URL) throws(VocabularyError) {
    try self.init(try Self.content(of: file), file: file.path)
  }

  static func content(of file: URL) throws(VocabularyError) -> Data {
    do {
      return try Data(contentsOf: file)
    } catch {
      throw VocabularyError(file: file.path, location: nil, problem: "it cannot be read")
    }
  }

  /// Reads the content of a vocabulary file.
  /// - Parameter file: what errors call it.
  /// - Throws: `VocabularyError`, with the file and the place in it.
  public init(_ data: Data, file: String) throws(VocabularyError) {
    guard data.count <= Self.mostBytes else {
      throw VocabularyError(
        file: file, location: nil, problem: "it is larger than \(Self.mostBytes >> 20) MB")
    }
    guard String(validating: data, as: UTF8.self) != nil else {
      throw VocabularyError(file: file, location: nil, problem: "it is not UTF-8")
    }
    do {
      self = try JSONDecoder().decode(Vocabulary.self, from: try JSON5Text.json(data))
    } catch {
      throw VocabularyError(error, file: file)
    }
  }

  private static let mostBytes = 64 << 20
}
