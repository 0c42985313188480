import FoundationModels

/// A language model that rewrites a transcript in the spelling of its domain and lists the names in it.
///
/// Its text is not trusted: `TranscriptNormalizer` rejects a text that adds, drops or changes words.
public protocol NormalizationModel: Sendable {
  /// The longest text that the model takes with such a prompt, in bytes of UTF-8. A longer text is cut at the ends of
  /// segments.
  /// - Parameters:
  ///   - entities: the names that may be extracted.
  ///   - instructions: what the model should do.
  func maxLength(entities: [String], instructions: String) -> Int

  /// Normalizes `text`.
  /// - Parameters:
  ///   - text: the text of a transcript, or a part of it.
  ///   - context: the words before `text`, which are not part of the answer; nil at the beginning.
  ///   - entities: the names that may be extracted; empty if any name may be.
  ///   - instructions: what the model should do.
  /// - Throws: any error; the transcript is then normalized without the model.
  func normalize(
    _ text: String, after context: String?, entities: [String], instructions: String
  ) async throws -> NormalizationModelAnswer
}

extension NormalizationModel {
  /// 4,000 bytes, about 700 words.
  public func maxLength(entities: [String], instructions: String) -> Int { 4_000 }
}

/// The answer of a `NormalizationModel`.
public struct NormalizationModelAnswer: Sendable, Hashable, Codable {
  /// The transcript in the spelling of its domain.
  public var normalizedText: String
  /// The names in the transcript.
  public var extractedTerms: [String]

  /// Creates the answer of your own model.
  public init(normalizedText: String, extractedTerms: [String]) {
    self.normalizedText = normalizedText
    self.extractedTerms = extractedTerms
  }
}

/// The language model of the system, where the system has one that is available.
package enum SystemNormalizationModel {
  /// The system's default model; nil if it is not available, and before macOS 26 and iOS 26.
  package static var available: (any NormalizationModel)? {
    if #available(macOS 26, iOS 26, *) { LanguageModelNormalization.available } else { nil }
  }
}

/// Normalizes with the language model of the `FoundationModels` framework.
@available(macOS 26, iOS 26, *)
package struct LanguageModelNormalization: NormalizationModel {
  private let model: SystemLanguageModel

  /// - Parameter model: the language model to ask.
  package init(_ model: SystemLanguageModel) { self.model = model }

  /// The system's default model; nil if it is not available.
  package static var available: LanguageModelNormalization? {
    let model = SystemLanguageModel.default
    return model.isAvailable ? LanguageModelNormalization(model) : nil
  }

  /// What the model's `contextSize` leaves for the text and the answer, which is as long: a token is taken for 3 bytes.
  package func maxLength(entities: [String], instructions: String) -> Int {
    let prompt = (instructions + Self.names(entities)).utf8.count
    return max(Self.minLength, (model.contextSize * 3 - prompt - Self.reserve) / 2)
  }

  /// The least length that is worth a question, in bytes.
  private static let minLength = 400
  /// The bytes of a prompt beside text and names: the context, the schema and the form of the answer.
  private static let reserve = 1_000

  private static func names(_ entities: [String]) -> String {
    entities.isEmpty ? "" : "\nThe names:\n" + entities.joined(separator: "\n")
  }

  /// Asks the language model.
  /// - Throws: what `LanguageModelSession` throws.
  package func normalize(
    _ text: String, after context: String?, entities: [String], instructions: String
  ) async throws -> NormalizationModelAnswer {
    let before = context.map { "\nThe words before, which are not part of the answer:\n\($0)" } ?? ""
    let answer = DynamicGenerationSchema(
      name: "NormalizedTranscript",
      properties: [
        .init(name: "normalizedText", schema: DynamicGenerationSchema(type: String.self)),
        .init(
          name: "extractedTerms",
          schema: DynamicGenerationSchema(arrayOf: DynamicGenerationSchema(type: String.self))),
      ])
    let content = try await LanguageModelSession(
      model: model, instructions: instructions + Self.names(entities) + before
    ).respond(
      to: text, schema: try GenerationSchema(root: answer, dependencies: []),
      options: GenerationOptions(sampling: .greedy)
    ).content
    return NormalizationModelAnswer(
      normalizedText: try content.value(String.self, forProperty: "normalizedText"),
      extractedTerms: try content.value([String].self, forProperty: "extractedTerms"))
  }
}
