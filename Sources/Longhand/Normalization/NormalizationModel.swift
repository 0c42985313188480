import FoundationModels

/// A language model that rewrites a transcript in the spelling of its domain and lists the names in it.
///
/// Its text is not trusted: `TranscriptNormalizer` rejects a text that adds, drops or changes words.
public protocol NormalizationModel: Sendable {
  /// Normalizes `text`.
  /// - Parameters:
  ///   - text: the text of a transcript.
  ///   - entities: the names that may be extracted; empty if any name may be.
  ///   - instructions: what the model should do.
  /// - Throws: any error; the transcript is then normalized without the model.
  func normalize(
    _ text: String, entities: [String], instructions: String
  ) async throws -> NormalizationModelAnswer
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

/// Normalizes with the language model of the `FoundationModels` framework.
public struct LanguageModelNormalization: NormalizationModel {
  private let model: SystemLanguageModel

  /// - Parameter model: the language model to ask.
  public init(_ model: SystemLanguageModel) { self.model = model }

  /// The system's default model; nil if it is not available.
  public static var available: LanguageModelNormalization? {
    let model = SystemLanguageModel.default
    return model.isAvailable ? LanguageModelNormalization(model) : nil
  }

  /// Asks the language model.
  /// - Throws: what `LanguageModelSession` throws.
  public func normalize(
    _ text: String, entities: [String], instructions: String
  ) async throws -> NormalizationModelAnswer {
    let names = entities.isEmpty ? "" : "\nThe names:\n" + entities.joined(separator: "\n")
    let answer = DynamicGenerationSchema(
      name: "NormalizedTranscript",
      properties: [
        .init(name: "normalizedText", schema: DynamicGenerationSchema(type: String.self)),
        .init(
          name: "extractedTerms",
          schema: DynamicGenerationSchema(arrayOf: DynamicGenerationSchema(type: String.self))),
      ])
    let content = try await LanguageModelSession(model: model, instructions: instructions + names).respond(
      to: text, schema: try GenerationSchema(root: answer, dependencies: []),
      options: GenerationOptions(sampling: .greedy)
    ).content
    return NormalizationModelAnswer(
      normalizedText: try content.value(String.self, forProperty: "normalizedText"),
      extractedTerms: try content.value([String].self, forProperty: "extractedTerms"))
  }
}
