/// Instructions that a model follows during a whole session.
public struct Instructions: Sendable {
  let text: String

  init(text: String) { self.text = text }

  /// Creates instructions from one component.
  public init(_ content: some InstructionsRepresentable) { self = content.instructionsRepresentation }

  @usableFromInline
  init<each I>(_ components: repeat each I) where repeat each I: InstructionsRepresentable {
    var lines: [String] = []
    for component in repeat each components { lines.append(component.instructionsRepresentation.text) }
    self.init(lines: lines)
  }

  /// Creates instructions from the components of a builder.
  public init(@InstructionsBuilder _ content: () throws -> Instructions) rethrows { self = try content() }

  init(lines: [String]) { text = lines.filter { !$0.isEmpty }.joined(separator: "\n") }
}

/// A type that can be part of instructions.
public protocol InstructionsRepresentable {
  /// The value as instructions.
  @InstructionsBuilder var instructionsRepresentation: Instructions { get }
}

extension Instructions: InstructionsRepresentable {
  /// The instructions themselves.
  public var instructionsRepresentation: Instructions { return self }
}

extension String: InstructionsRepresentable {
  /// The text as it is.
  public var instructionsRepresentation: Instructions { return Instructions(text: self) }
}

extension Array: InstructionsRepresentable where Element: InstructionsRepresentable {
  /// The elements, each on its own line.
  public var instructionsRepresentation: Instructions {
    return Instructions(lines: map(\.instructionsRepresentation.text))
  }
}

/// Builds instructions with one line for each expression.
@resultBuilder public struct InstructionsBuilder {
  /// Joins the components in order.
  public static func buildBlock<each I>(_ components: repeat each I) -> Instructions
  where repeat each I: InstructionsRepresentable {
    Instructions(repeat each components)
  }

  /// Joins the components of a loop.
  public static func buildArray(_ instructions: [some InstructionsRepresentable]) -> Instructions {
    instructions.instructionsRepresentation
  }

  /// The component of the first branch.
  public static func buildEither(first component: some InstructionsRepresentable) -> Instructions {
    component.instructionsRepresentation
  }

  /// The component of the second branch.
  public static func buildEither(second component: some InstructionsRepresentable) -> Instructions {
    component.instructionsRepresentation
  }

  /// The component of an `if` without `else`; empty if the condition is false.
  public static func buildOptional(_ component: Instructions?) -> Instructions {
    component ?? Instructions(text: "")
  }

  /// The component of an availability check.
  public static func buildLimitedAvailability(_ instructions: some InstructionsRepresentable) -> Instructions
  {
    instructions.instructionsRepresentation
  }

  /// Passes a component on.
  @_disfavoredOverload
  public static func buildExpression<I>(_ expression: I) -> I where I: InstructionsRepresentable {
    expression
  }

  /// Nested instructions.
  public static func buildExpression(_ expression: Instructions) -> Instructions { expression }

  /// Reports values of other types at compile time.
  @available(
    *, unavailable, message: "instructions can contain only values that conform to InstructionsRepresentable"
  )
  public static func buildExpression<T>(_ expression: T) -> Instructions { Instructions(text: "") }
}
