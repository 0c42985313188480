import Foundation
import Longhand

/// The domain whose words are expected: a vocabulary file, or what was compiled from one.
enum DomainOption: Sendable {
  case vocabulary(String, weight: Double?)
  case compiled(String, weight: Double?)

  /// Nil if the arguments name none.
  init?(_ arguments: ParsedArguments) throws {
    let weight = try arguments.value(.languageModelWeight).map { text in
      guard let weight = Double(text), (0...1).contains(weight) else {
        throw Failure.usage(
          "--language-model-weight takes a number from 0 to 1, not '\(text)'",
          hint: "such as --language-model-weight 0.5")
      }
      return weight
    }
    switch (arguments.value(.vocabulary), arguments.value(.languageModel)) {
    case (.some, .some):
      throw Failure.usage(
        "--vocabulary and --language-model name a domain each", hint: "leave one of them out")
    case (let file?, nil): self = .vocabulary(file, weight: weight)
    case (nil, let folder?): self = .compiled(folder, weight: weight)
    case (nil, nil):
      guard weight == nil else {
        throw Failure.usage(
          "--language-model-weight is there for a language model, and none was given",
          hint: "add --vocabulary or --language-model")
      }
      return nil
    }
  }

  /// The language model, compiled now if it was not before.
  func languageModel() async throws -> LanguageModelFolder {
    switch self {
    case .vocabulary(let file, let weight):
      do {
        return try await LanguageModelFolder.cached(URL(fileURLWithPath: file), weight: weight)
      } catch {
        throw Failure(vocabulary: error, file: file)
      }
    case .compiled(let folder, let weight):
      do {
        return try LanguageModelFolder(URL(fileURLWithPath: folder), weight: weight)
      } catch {
        throw Failure(
          .malformed, error.problem, input: folder, hint: "'longhand vocabulary compile' makes one")
      }
    }
  }
}

/// The text of a transcript as its domain writes it, which `--normalize` asks for.
struct NormalizationOption: Sendable {
  private let vocabulary: String?

  /// Nil if it is not asked for.
  /// - Parameter formats: what is written; not every format has a place for it.
  init?(_ arguments: ParsedArguments, formats: [TranscriptFormat] = []) throws {
    guard arguments.has(.normalize) else { return nil }
    vocabulary = arguments.value(.vocabulary)
    if let format = formats.first(where: { !$0.hasNormalizedText }) {
      throw Failure.usage(
        "\(format.rawValue) has no place for a second text", hint: "--normalize goes with txt, md and json")
    }
    guard vocabulary != nil || LanguageModelNormalization.available != nil else {
      throw Failure.usage(
        "--normalize needs the spellings of a domain, or a language model",
        hint: "add --vocabulary FILE, or set FOUNDATION_MODEL_ENDPOINT")
    }
  }

  /// What normalizes: the vocabulary, and the language model where there is one.
  func normalizer() throws -> TranscriptNormalizer {
    let model = LanguageModelNormalization.available
    guard let vocabulary else { return TranscriptNormalizer(model: model) }
    do {
      return TranscriptNormalizer(try Vocabulary(contentsOf: URL(fileURLWithPath: vocabulary)), model: model)
    } catch {
      throw Failure(vocabulary: error, file: vocabulary)
    }
  }
}
