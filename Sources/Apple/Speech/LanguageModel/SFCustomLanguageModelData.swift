import Foundation

/// What a domain says, and how its words sound: the data from which a custom language model is prepared.
///
/// Apple's declarations make this class neither final nor sendable: use it from one task at a time.
public class SFCustomLanguageModelData: Hashable, Codable {
  /// The language; that of the recognizer that will use the model.
  final public let locale: Locale
  /// Whose data it is, such as `com.example.app`.
  final public let identifier: String
  /// Tells this data from earlier data with the same identifier.
  final public let version: String

  /// Phrases that were counted directly; they come before what generators make.
  private(set) var phraseCounts: [PhraseCount] = []
  private(set) var generators: [PhraseCountGenerator] = []
  private(set) var pronunciations: [CustomPronunciation] = []

  /// Data without content.
  public init(locale: Locale, identifier: String, version: String) {
    self.locale = locale
    self.identifier = identifier
    self.version = version
  }

  /// Data with the content that a result builder gives.
  public convenience init(
    locale: Locale, identifier: String, version: String,
    @SFCustomLanguageModelData.DataInsertableBuilder builder: () -> any DataInsertable
  ) {
    self.init(locale: locale, identifier: identifier, version: version)
    builder().insert(data: self)
  }

  /// Adds a phrase.
  public func insert(phraseCount: PhraseCount) { phraseCounts.append(phraseCount) }

  /// Adds the phrases that a generator makes when the data is exported.
  public func insert(phraseCountGenerator: PhraseCountGenerator) { generators.append(phraseCountGenerator) }

  /// Adds a pronunciation.
  public func insert(term: CustomPronunciation) { pronunciations.append(term) }

  /// The X-SAMPA symbols that pronunciations in a language may consist of; empty if it has no recognizer.
  public static func supportedPhonemes(locale: Locale) -> [String] {
    SpeechLocales.supported(equivalentTo: locale) == nil ? [] : PhonemeMap.symbols
  }

  /// Writes the data to a file, in Apple's own format; a file that is there is replaced once the new one is whole.
  /// The same data gives the same bytes.
  ///
  /// Phrases are written as they are generated, so that a template of millions of expansions takes no memory.
  /// - Throws: `SFSpeechError.undefinedTemplateClassName`; `.malformedSupplementalModel` for phrases and
  ///   pronunciations that cannot be used, named in the description; what Foundation throws if the file cannot be
  ///   written; `CancellationError`.
  public func export(to path: URL) async throws {
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

  /// Hashes what `==` compares.
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

  /// Writes everything but the phrases of generators of other classes than `TemplatePhraseCountGenerator`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(locale, forKey: .locale)
    try container.encode(identifier, forKey: .identifier)
    try container.encode(version, forKey: .version)
    try container.encode(phraseCounts, forKey: .phraseCounts)
    try container.encode(generators.compactMap { $0 as? TemplatePhraseCountGenerator }, forKey: .templates)
    try container.encode(pronunciations, forKey: .pronunciations)
  }

  /// Reads what `encode(to:)` wrote.
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
