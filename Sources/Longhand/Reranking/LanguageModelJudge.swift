import FoundationModels

/// A judge that asks the system's language model. The model answers with the number of a candidate.
public struct LanguageModelJudge: CandidateJudge {
  private static let instructions = """
    A speech recognizer offers several readings of the same words. Name the one that was most likely said, by its \
    number. If you cannot tell, name 0.
    """

  private let model: SystemLanguageModel

  /// Creates a judge that asks `model`.
  public init(_ model: SystemLanguageModel) { self.model = model }

  /// A judge with the system's language model; nil if none is available.
  public static var available: LanguageModelJudge? {
    let model = SystemLanguageModel.default
    return model.isAvailable ? LanguageModelJudge(model) : nil
  }

  /// Asks the model. A refusal throws `CandidateJudgeError.refused`.
  public func choose(among texts: [String], context: String?) async throws -> Int? {
    let number = DynamicGenerationSchema(type: Int.self, guides: [.range(0...texts.count - 1)])
    let choice = DynamicGenerationSchema(
      name: "Choice", properties: [.init(name: "number", schema: number)])
    let schema = try GenerationSchema(root: choice, dependencies: [])
    var prompt = context.map { "Said before: \($0)\n" } ?? ""
    for (index, text) in texts.enumerated() { prompt += "\(index): \(text)\n" }
    // A new session: questions about other segments do not help, and fill the context window.
    let session = LanguageModelSession(model: model, instructions: Self.instructions)
    do {
      return try await session.respond(
        to: prompt, schema: schema,
        options: GenerationOptions(sampling: .greedy, maximumResponseTokens: 32)
      ).content.value(Int.self, forProperty: "number")
    } catch LanguageModelSession.GenerationError.refusal, LanguageModelSession.GenerationError
      .guardrailViolation
    {
      throw CandidateJudgeError.refused
    }
  }
}
