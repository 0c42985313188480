import Foundation

/// What a model can ask the program to do while it answers.
public protocol Tool<Arguments, Output>: Sendable {
  /// What the model gets back.
  associatedtype Output: PromptRepresentable
  /// What the model must say; mostly a `@Generable` structure.
  associatedtype Arguments: ConvertibleFromGeneratedContent

  /// What the model calls it by: the type's name if nothing else is said.
  var name: String { get }
  /// What it is good for.
  var description: String { get }
  /// What the arguments look like.
  var parameters: GenerationSchema { get }
  /// Whether the model is told what the arguments look like. On Linux it always is, as servers ask for it.
  var includesSchemaInInstructions: Bool { get }

  /// Does it. What it throws reaches who asked the session, in a `LanguageModelSession.ToolCallError`.
  @concurrent func call(arguments: Self.Arguments) async throws -> Self.Output
}

extension Tool {
  /// The type's name.
  public var name: String { String(describing: Self.self) }

  /// True.
  public var includesSchemaInInstructions: Bool { true }

  /// Does it, with what the model said.
  func call(content: GeneratedContent) async throws -> String {
    try await call(arguments: Arguments(content)).promptRepresentation.text
  }
}

extension Tool where Self.Arguments: Generable {
  /// What the arguments' type asks for.
  public var parameters: GenerationSchema { Arguments.generationSchema }
}

extension Tool where Self.Arguments == String {
  /// Any text.
  public var parameters: GenerationSchema { String.generationSchema }
}

extension Tool where Self.Arguments == Int {
  /// Any whole number.
  public var parameters: GenerationSchema { Int.generationSchema }
}

extension Tool where Self.Arguments == Double {
  /// Any number.
  public var parameters: GenerationSchema { Double.generationSchema }
}

extension Tool where Self.Arguments == Float {
  /// Any number.
  public var parameters: GenerationSchema { Float.generationSchema }
}

extension Tool where Self.Arguments == Decimal {
  /// Any number.
  public var parameters: GenerationSchema { Decimal.generationSchema }
}

extension Tool where Self.Arguments == Bool {
  /// True or false.
  public var parameters: GenerationSchema { Bool.generationSchema }
}
