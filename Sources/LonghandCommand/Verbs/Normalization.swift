import Foundation
import Longhand

/// The text of a transcript as its domain writes it, which `--normalize` asks for.
struct Normalization: Sendable {
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
