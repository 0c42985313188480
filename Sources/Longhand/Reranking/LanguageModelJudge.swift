import FoundationModels

/// A judge that asks the system's language model, which may name one of the readings and nothing else.
public struct LanguageModelJudge: CandidateJudge {
  private static let instructions = """
    A speech recognizer offers several readings of the same words. Name the one that was most likely said, by its \
    number. If you cannot tell, name 0.
    """

  private let model: SystemLanguageModel

  /// - Parameter model: the language model that is asked.
  public init(_ model: SystemLanguageModel) { self.model = model }

  /// The system's, nil where there is none that can be asked.
  public static var available: LanguageModelJudge? {
    let model = SystemLanguageModel.default
    return model.isAvailable ? LanguageModelJudge(model) : nil
  }

  /// Asks it. A refusal is `CandidateJudgeError.refused`.
  public func choose(among texts: [String], context: String?) async throws -> Int? {
    let number = DynamicGenerationSchema(type: Int.self, guides: [.range(0...texts.count - 1)])
    let choice = DynamicGenerationSchema(
      name: "Choice", properties: [.init(name: "number", schema: number)])
    let schema = try GenerationSchema(root: choice, dependencies: [])
    var prompt = context.map { "Said before: \($0)\n" } ?? ""
    for (index, text) in texts.enumerated() { prompt += "\(index): \(text)\n" }
    // A session of its own: what was asked of other segments is of no use, and fills the context.
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
