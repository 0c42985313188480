import RecognitionCore
import Foundation

/// The phrases of a domain and the pronunciations of its words: the data of a custom language model.
///
/// ```swift
/// import Speech
///
/// let data = SFCustomLanguageModelData(
///   locale: Locale(identifier: "en_US"), identifier: "com.example.chess", version: "1.0"
/// ) {
///   SFCustomLanguageModelData.PhraseCount(phrase: "play the Winawer variation", count: 10)
///   SFCustomLanguageModelData.CustomPronunciation(grapheme: "Winawer", phonemes: ["w I n aU @r"])
///   SFCustomLanguageModelData.PhraseCountsFromTemplates(
///     classes: ["piece": ["pawn", "rook"], "rank": ["one", "two"]]
///   ) {
///     SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template("<piece> to <rank>", count: 100)
///   }
/// }
/// try await data.export(to: URL(fileURLWithPath: "chess.bin"))
/// ```
///
/// `SFSpeechLanguageModel` prepares a language model from the exported file.
///
/// Apple declares this class neither final nor sendable: use it from one task at a time.
public class SFCustomLanguageModelData: Hashable, Codable {
  /// The language. It must be the language of the recognizer.
  final public let locale: Locale
  /// The owner of the data, such as `com.example.app`.
  final public let identifier: String
  /// The version of the data among data with the same identifier.
  final public let version: String

  /// The phrases with counts. They are exported before the phrases of generators.
  private(set) var phraseCounts: [PhraseCount] = []
  private(set) var generators: [PhraseCountGenerator] = []
  private(set) var pronunciations: [CustomPronunciation] = []

  /// Creates data without content.
  public init(locale: Locale, identifier: String, version: String) {
    self.locale = locale
    self.identifier = identifier
    self.version = version
  }

  /// Creates data with the content of a result builder.
  public convenience init(
    locale: Locale, identifier: String, version: String,
    @SFCustomLanguageModelData.DataInsertableBuilder builder: () -> any DataInsertable
  ) {
    self.init(locale: locale, identifier: identifier, version: version)
    builder().insert(data: self)
  }

  /// Adds a phrase.
  public func insert(phraseCount: PhraseCount) { phraseCounts.append(phraseCount) }

  /// Adds a generator. It generates its phrases when the data is exported.
  public func insert(phraseCountGenerator: PhraseCountGenerator) { generators.append(phraseCountGenerator) }

  /// Adds a pronunciation.
  public func insert(term: CustomPronunciation) { pronunciations.append(term) }

  /// The X-SAMPA symbols for pronunciations in a language: American and British English, German, French, Italian and
  /// Spanish; empty for others. On Linux `SFSpeechLanguageModel` takes pronunciations in American
  /// English only, and refuses data with others.
  public static func supportedPhonemes(locale: Locale) -> [String] {
    SpeechLocales.embedded(equivalentTo: locale) == nil ? PhonemeSets.symbols(of: locale) : PhonemeMap.symbols
  }

  /// Writes the data to a file in Apple's format. An existing file is replaced when the new one is complete. The same data
  /// always gives the same bytes.
  ///
  /// Phrases are written while they are generated, so that a template with many expansions needs little memory. On Linux
  /// at most 1,000,000 phrases of at most 64 MiB are taken: `SFSpeechLanguageModel` says what that costs.
  /// - Throws: `SFSpeechError.undefinedTemplateClassName`; `.malformedSupplementalModel` for an invalid phrase or
  ///   pronunciation, which the description names, for pronunciations in a language that has no phonemes, and for too many
  ///   phrases; `CocoaError` if the file cannot be written; `CancellationError`.
  public func export(to path: URL) async throws {
    if let term = pronunciations.first, Self.supportedPhonemes(locale: locale).isEmpty {
      throw SFSpeechError.malformedData(
        "\"\(term.grapheme)\" has a pronunciation, but the language \(locale.identifier(.bcp47)) has no phonemes. "
          + "Leave out the pronunciations for this language; supportedPhonemes(locale:) lists those that have some."
      )
    }
    let writer = try LanguageModelAssetWriter(path)
    try writer.write(self)
    for phrase in phraseCounts { try writer.write(phrase) }
    for generator in generators {
      let iterator = generator.makeAsyncIterator()
      while let phrase = try await iterator.next() {
        try Task.checkCancellation()
        try writer.write(phrase)
      }
    }
    try writer.finish()
  }

  /// Whether both have the same content in the same order.
  public static func == (lhs: SFCustomLanguageModelData, rhs: SFCustomLanguageModelData) -> Bool {
    lhs.locale == rhs.locale && lhs.identifier == rhs.identifier && lhs.version == rhs.version
      && lhs.phraseCounts == rhs.phraseCounts && lhs.generators == rhs.generators
      && lhs.pronunciations == rhs.pronunciations
  }

  /// Hashes the properties that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(locale)
    hasher.combine(identifier)
    hasher.combine(version)
    hasher.combine(phraseCounts)
    hasher.combine(generators)
    hasher.combine(pronunciations)
  }

  private enum CodingKeys: CodingKey {
    case locale, identifier, version, phraseCounts, templates, pronunciations
  }

  /// Encodes the data. Of the generators, only `TemplatePhraseCountGenerator` is encoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(locale, forKey: .locale)
    try container.encode(identifier, forKey: .identifier)
    try container.encode(version, forKey: .version)
    try container.encode(phraseCounts, forKey: .phraseCounts)
    try container.encode(generators.compactMap { $0 as? TemplatePhraseCountGenerator }, forKey: .templates)
    try container.encode(pronunciations, forKey: .pronunciations)
  }

  /// Decodes data that `encode(to:)` encoded.
  required public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    locale = try container.decode(Locale.self, forKey: .locale)
    identifier = try container.decode(String.self, forKey: .identifier)
    version = try container.decode(String.self, forKey: .version)
    phraseCounts = try container.decode([PhraseCount].self, forKey: .phraseCounts)
    generators = try container.decode([TemplatePhraseCountGenerator].self, forKey: .templates)
    pronunciations = try container.decode([CustomPronunciation].self, forKey: .pronunciations)
  }
}

extension SFCustomLanguageModelData {
  /// A phrase, and how often it is spoken relative to other phrases.
  public struct PhraseCount: Hashable, Sendable, CustomStringConvertible, Codable, DataInsertable {
    /// The words, separated by spaces.
    public let phrase: String
    /// The count; at least 1.
    public let count: Int

    /// Creates a phrase with a count.
    public init(phrase: String, count: Int) {
      self.phrase = phrase
      self.count = count
    }

    /// The count and the phrase.
    public var description: String { "\(count) × \(phrase)" }

    /// Adds the phrase to the data.
    public func insert(data: SFCustomLanguageModelData) { data.insert(phraseCount: self) }

    private enum CodingKeys: CodingKey { case phrase, count }

    /// Encodes the phrase and its count.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(phrase, forKey: .phrase)
      try container.encode(count, forKey: .count)
    }
  }

  /// The pronunciations of a word.
  public struct CustomPronunciation: Hashable, Sendable, CustomStringConvertible, Codable, DataInsertable {
    /// The written word.
    public let grapheme: String
    /// The pronunciations: X-SAMPA symbols of `supportedPhonemes(locale:)`, separated by spaces.
    public let phonemes: [String]

    /// Creates the pronunciations of a word.
    public init(grapheme: String, phonemes: [String]) {
      self.grapheme = grapheme
      self.phonemes = phonemes
    }

    /// The word and its pronunciations.
    public var description: String { "\(grapheme) [\(phonemes.joined(separator: ", "))]" }

    /// Adds the pronunciations to the data.
    public func insert(data: SFCustomLanguageModelData) { data.insert(term: self) }

    private enum CodingKeys: CodingKey { case grapheme, phonemes }

    /// Encodes the word and its pronunciations.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(grapheme, forKey: .grapheme)
      try container.encode(phonemes, forKey: .phonemes)
    }
  }
}
