/// What a model gets beside the prompt, and how much it thinks.
///
/// ```swift
/// import FoundationModels
///
/// let session = LanguageModelSession()
/// let answer = try await session.respond(
///   to: "Who wins?", contextOptions: ContextOptions(reasoningLevel: .light))
/// print(answer.content)
/// ```
public struct ContextOptions: Sendable, Equatable {
  /// How much a model thinks before it answers.
  public enum ReasoningLevel: Sendable, Equatable {
    /// A little.
    case light
    /// More.
    case moderate
    /// As much as is useful.
    case deep
    /// A level by the model's own name for it.
    case custom(String)
  }

  /// Whether the prompt also contains the schema of the answer; nil: it does.
  public var includeSchemaInPrompt: Bool?
  /// How much the model thinks; nil leaves it to the model. On Linux, `reasoning_effort` of the request: low, medium, high or the
  /// name of the level.
  public var reasoningLevel: ReasoningLevel?

  /// Creates options.
  public init(includeSchemaInPrompt: Bool? = nil, reasoningLevel: ReasoningLevel? = nil) {
    self.includeSchemaInPrompt = includeSchemaInPrompt
    self.reasoningLevel = reasoningLevel
  }
}

extension ContextOptions.ReasoningLevel {
  /// The name that servers have for it.
  var effort: String {
    switch self {
    case .light: "low"
    case .moderate: "medium"
    case .deep: "high"
    case .custom(let name): name
    }
  }
}
