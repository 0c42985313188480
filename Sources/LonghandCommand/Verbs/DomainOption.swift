import Foundation
import Longhand

/// The vocabulary to recognize with: a vocabulary, or a language model compiled from one.
enum DomainOption: Sendable {
  case vocabulary(VocabularyReference, weight: Double?)
  case compiled(String, weight: Double?)

  /// Reads the options; nil if they name no vocabulary.
  init?(_ arguments: ParsedArguments) throws {
    let weight = try arguments.number(.languageModelWeight, in: 0...1)
    switch (VocabularyReference(arguments), arguments.value(.languageModel)) {
    case (.some, .some):
      throw Failure.usage(
        "The options --vocabulary and --language-model cannot be combined.", hint: "Remove one of them.")
    case (let vocabulary?, nil): self = .vocabulary(vocabulary, weight: weight)
    case (nil, let folder?): self = .compiled(folder, weight: weight)
    case (nil, nil):
      guard weight == nil else {
        throw Failure.usage(
          "The option --language-model-weight needs a language model.",
          hint: "Add --vocabulary NAME or --language-model PATH.")
      }
      return nil
    }
  }

  /// The line that says what of a vocabulary is not used with the model that is used; nil if all of it is.
  static func notice(_ arguments: ParsedArguments, _ options: () -> ResolvedOptions?) async -> String? {
    let named = [Option.vocabulary, .languageModel, .context]
    guard named.contains(where: { arguments.value($0) != nil }) else { return nil }
    guard let options = options(), let name = options.modelStamp?.name,
      await (try? options.prefersPhrases()) == false
    else { return nil }
    return
      "The model \(name) cannot prefer words. A vocabulary's corrections and names are used with --normalize. "
      + "'--model pocketsphinx' learns the words, in American English."
  }

  /// The language model. A vocabulary file is compiled unless the cache has it.
  func languageModel() async throws -> LanguageModelFolder {
    switch self {
    case .vocabulary(let vocabulary, let weight):
      do {
        let file = try vocabulary.file()
        defer { withExtendedLifetime(file) {} }
        return try await LanguageModelFolder.cached(file.url, weight: weight)
      } catch {
        throw Failure(vocabulary: error, file: vocabulary.text)
      }
    case .compiled(let folder, let weight):
      do {
        return try await LanguageModelFolder.open(URL(fileURLWithPath: folder), weight: weight)
      } catch let error as VocabularyError {
        throw Failure(
          .malformed, error.problem, input: folder,
          hint: "Create a language model with 'longhand vocabulary compile'.")
      } catch {
        throw Failure(vocabulary: error, file: folder)
      }
    }
  }
}

/// The option `--normalize`: a second text with the vocabulary's spellings.
struct NormalizationOption: Sendable {
  /// The vocabulary; nil if none is named.
  let vocabulary: VocabularyReference?
  /// The file of the names to find; nil if none is named.
  let entities: String?
  /// The language of the names without a vocabulary; nil for American English.
  private let locale: String?

  /// Reads the options; nil if none is given.
  ///
  /// - Parameters:
  ///   - formats: the output formats, which must be able to hold a second text.
  ///   - isStored: whether the second text may be in the library.
  init?(
    _ arguments: ParsedArguments, formats: [TranscriptFormat] = [], isStored: Bool = false
  ) throws {
    let isAlone = arguments.has(.onlyNormalized) && arguments.value(.vocabulary) != nil
    guard arguments.has(.normalize) || isAlone || arguments.value(.entities) != nil else { return nil }
    vocabulary = VocabularyReference(arguments)
    entities = arguments.value(.entities)
    locale = arguments.value(.locale)
    if let format = formats.first(where: { !$0.hasNormalizedText }) {
      throw Failure.usage(
        "The format \(format.rawValue) cannot hold the second text of --normalize.",
        hint: "Use txt, md or json.")
    }
    guard isStored || vocabulary != nil || entities != nil || SystemNormalizationModel.available != nil else {
      throw Self.missingVocabulary
    }
  }

  /// There is nothing to make a second text with.
  static var missingVocabulary: Failure {
    .usage(
      "The option --normalize needs a vocabulary or a language model.",
      hint: "Add --vocabulary NAME, or set FOUNDATION_MODEL_ENDPOINT to a local model server.")
  }

  /// What writes the second text of a recording.
  @MainActor func coordinator() throws -> NormalizationCoordinator {
    NormalizationCoordinator(try normalizer())
  }

  /// The normalizer with the vocabulary and the names, and with the language model if one is configured.
  /// - Parameter stored: what is used without a vocabulary file.
  func normalizer(else stored: Vocabulary? = nil) throws -> TranscriptNormalizer {
    let model = SystemNormalizationModel.available
    var spellings = stored ?? Vocabulary(name: "names")
    if stored == nil, let locale { spellings.locale = locale }
    if let vocabulary {
      spellings = try Self.read(vocabulary.text, vocabulary.file) { try Vocabulary(contentsOf: $0) }
    }
    let normalizer = TranscriptNormalizer(spellings, model: model)
    guard let entities else { return normalizer }
    let list = try Self.read(entities, { NamedFile(entities) }) { try EntityList(contentsOf: $0) }
    return normalizer.extracting(list.names, ids: list.ids)
  }

  private static func read<Content>(
    _ path: String, _ file: () throws -> NamedFile, _ read: (URL) throws -> Content
  ) throws -> Content {
    do {
      let file = try file()
      defer { withExtendedLifetime(file) {} }
      return try read(file.url)
    } catch {
      throw Failure(vocabulary: error, file: path)
    }
  }
}
