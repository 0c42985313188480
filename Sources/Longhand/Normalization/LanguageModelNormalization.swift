import FoundationModels

/// Normalizes by the system's language model.
public struct LanguageModelNormalization: NormalizationModel {
  private let model: SystemLanguageModel

  /// - Parameter model: the language model that is asked.
  public init(_ model: SystemLanguageModel) { self.model = model }

  /// The system's, nil where there is none that can be asked.
  public static var available: LanguageModelNormalization? {
    let model = SystemLanguageModel.default
    return model.isAvailable ? LanguageModelNormalization(model) : nil
  }

  /// Asks it.
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
