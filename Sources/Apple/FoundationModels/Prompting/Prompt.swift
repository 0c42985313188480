/// A request to a model in words.
public struct Prompt: Sendable {
  let text: String

  init(text: String) { self.text = text }

  /// Creates a prompt from one component.
  public init(_ content: some PromptRepresentable) { self = content.promptRepresentation }

  @usableFromInline
  init<each P>(_ components: repeat each P) where repeat each P: PromptRepresentable {
    var lines: [String] = []
    for component in repeat each components { lines.append(component.promptRepresentation.text) }
    self.init(lines: lines)
  }

  /// Creates a prompt from the components of a builder.
  public init(@PromptBuilder _ content: () throws -> Prompt) rethrows { self = try content() }

  init(lines: [String]) { text = lines.filter { !$0.isEmpty }.joined(separator: "\n") }
}

/// A type that can be part of a prompt.
public protocol PromptRepresentable {
  /// The value as a prompt.
  @PromptBuilder var promptRepresentation: Prompt { get }
}

extension Prompt: PromptRepresentable {
  /// The prompt itself.
  public var promptRepresentation: Prompt { return self }
}

extension String: PromptRepresentable {
  /// The text as it is.
  public var promptRepresentation: Prompt { return Prompt(text: self) }
}

extension Array: PromptRepresentable where Element: PromptRepresentable {
  /// The elements, each on its own line.
  public var promptRepresentation: Prompt { return Prompt(lines: map(\.promptRepresentation.text)) }
}

/// Builds a prompt with one line for each expression.
@resultBuilder public struct PromptBuilder {
  /// Joins the components in order.
  public static func buildBlock<each P>(_ components: repeat each P) -> Prompt
  where repeat each P: PromptRepresentable {
    Prompt(repeat each components)
  }

  /// Joins the components of a loop.
  public static func buildArray(_ prompts: [some PromptRepresentable]) -> Prompt {
    prompts.promptRepresentation
  }

  /// The component of the first branch.
  public static func buildEither(first component: some PromptRepresentable) -> Prompt {
    component.promptRepresentation
  }

  /// The component of the second branch.
  public static func buildEither(second component: some PromptRepresentable) -> Prompt {
    component.promptRepresentation
  }

  /// The component of an `if` without `else`; empty if the condition is false.
  public static func buildOptional(_ component: Prompt?) -> Prompt { component ?? Prompt(text: "") }

  /// The component of an availability check.
  public static func buildLimitedAvailability(_ prompt: some PromptRepresentable) -> Prompt {
    prompt.promptRepresentation
  }

  /// Passes a component on.
  @_disfavoredOverload
  public static func buildExpression<P>(_ expression: P) -> P where P: PromptRepresentable { expression }

  /// A nested prompt.
  public static func buildExpression(_ expression: Prompt) -> Prompt { expression }

  /// Reports values of other types at compile time.
  @available(*, unavailable, message: "a prompt can contain only values that conform to PromptRepresentable")
  public static func buildExpression<T>(_ expression: T) -> Prompt { Prompt(text: "") }
}
