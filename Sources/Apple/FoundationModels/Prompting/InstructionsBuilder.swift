/// Puts instructions together, a line for each expression.
@resultBuilder public struct InstructionsBuilder {
  /// The components, one after the other.
  public static func buildBlock<each I>(_ components: repeat each I) -> Instructions
  where repeat each I: InstructionsRepresentable {
    Instructions(repeat each components)
  }

  /// What a loop made.
  public static func buildArray(_ instructions: [some InstructionsRepresentable]) -> Instructions {
    instructions.instructionsRepresentation
  }

  /// What stands if a condition is true.
  public static func buildEither(first component: some InstructionsRepresentable) -> Instructions {
    component.instructionsRepresentation
  }

  /// What stands if a condition is false.
  public static func buildEither(second component: some InstructionsRepresentable) -> Instructions {
    component.instructionsRepresentation
  }

  /// What stands only if a condition is true.
  public static func buildOptional(_ component: Instructions?) -> Instructions {
    component ?? Instructions(text: "")
  }

  /// What stands only in some versions.
  public static func buildLimitedAvailability(_ instructions: some InstructionsRepresentable) -> Instructions
  {
    instructions.instructionsRepresentation
  }

  /// A component.
  @_disfavoredOverload
  public static func buildExpression<I>(_ expression: I) -> I where I: InstructionsRepresentable {
    expression
  }

  /// Instructions within instructions.
  public static func buildExpression(_ expression: Instructions) -> Instructions { expression }

  /// Says what is wrong with anything else.
  @available(
    *, unavailable, message: "only what conforms to InstructionsRepresentable can stand in instructions"
  )
  public static func buildExpression<T>(_ expression: T) -> Instructions { Instructions(text: "") }
}
