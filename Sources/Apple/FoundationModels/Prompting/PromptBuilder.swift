/// Puts a prompt together, a line for each expression.
@resultBuilder public struct PromptBuilder {
  /// The components, one after the other.
  public static func buildBlock<each P>(_ components: repeat each P) -> Prompt
  where repeat each P: PromptRepresentable {
    Prompt(repeat each components)
  }

  /// What a loop made.
  public static func buildArray(_ prompts: [some PromptRepresentable]) -> Prompt {
    prompts.promptRepresentation
  }

  /// What stands if a condition is true.
  public static func buildEither(first component: some PromptRepresentable) -> Prompt {
    component.promptRepresentation
  }

  /// What stands if a condition is false.
  public static func buildEither(second component: some PromptRepresentable) -> Prompt {
    component.promptRepresentation
  }

  /// What stands only if a condition is true.
  public static func buildOptional(_ component: Prompt?) -> Prompt { component ?? Prompt(text: "") }

  /// What stands only in some versions.
  public static func buildLimitedAvailability(_ prompt: some PromptRepresentable) -> Prompt {
    prompt.promptRepresentation
  }

  /// A component.
  @_disfavoredOverload
  public static func buildExpression<P>(_ expression: P) -> P where P: PromptRepresentable { expression }

  /// A prompt within a prompt.
  public static func buildExpression(_ expression: Prompt) -> Prompt { expression }

  /// Says what is wrong with anything else.
  @available(*, unavailable, message: "only what conforms to PromptRepresentable can stand in a prompt")
  public static func buildExpression<T>(_ expression: T) -> Prompt { Prompt(text: "") }
}
