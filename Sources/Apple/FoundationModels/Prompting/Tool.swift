import Foundation

/// A function of the program that a model can call while it answers.
///
/// ```swift
/// import FoundationModels
///
/// struct Glossary: Tool {
///   let description = "Explains a term of chess"
///
///   @Generable
///   struct Arguments {
///     @Guide(description: "The term to explain")
///     var term: String
///   }
///
///   func call(arguments: Arguments) async throws -> String {
///     arguments.term == "zugzwang" ? "Every possible move makes things worse." : "unknown"
///   }
/// }
///
/// let session = LanguageModelSession(tools: [Glossary()])
/// print(try await session.respond(to: "What is zugzwang?").content)
/// ```
public protocol Tool<Arguments, Output>: Sendable {
  /// The type of the result that the model receives.
  associatedtype Output: PromptRepresentable
  /// The type of the arguments from the model; usually a `@Generable` structure.
  associatedtype Arguments: ConvertibleFromGeneratedContent

  /// The name that the model uses for the tool; by default the name of the type.
  var name: String { get }
  /// A description of the tool for the model.
  var description: String { get }
  /// The schema of the arguments.
  var parameters: GenerationSchema { get }
  /// Whether the model receives the schema of the arguments. On Linux it always does, because servers need it.
  var includesSchemaInInstructions: Bool { get }

  /// Runs the tool. If it throws, the request throws a `LanguageModelSession.ToolCallError` with that error.
  @concurrent func call(arguments: Self.Arguments) async throws -> Self.Output
}

extension Tool {
  /// The type's name.
  public var name: String { String(describing: Self.self) }

  /// True.
  public var includesSchemaInInstructions: Bool { true }

  /// Runs the tool with arguments from the model and returns the result as text.
  func call(content: GeneratedContent) async throws -> String {
    try await call(arguments: Arguments(content)).promptRepresentation.text
  }
}

extension Tool where Self.Arguments: Generable {
  /// The schema of the type of the arguments.
  public var parameters: GenerationSchema { Arguments.generationSchema }
}

extension Tool where Self.Arguments == String {
  /// A schema for any text.
  public var parameters: GenerationSchema { String.generationSchema }
}

extension Tool where Self.Arguments == Int {
  /// A schema for any whole number.
  public var parameters: GenerationSchema { Int.generationSchema }
}

extension Tool where Self.Arguments == Double {
  /// A schema for any number.
  public var parameters: GenerationSchema { Double.generationSchema }
}

extension Tool where Self.Arguments == Float {
  /// A schema for any number.
  public var parameters: GenerationSchema { Float.generationSchema }
}

extension Tool where Self.Arguments == Decimal {
  /// A schema for any number.
  public var parameters: GenerationSchema { Decimal.generationSchema }
}

extension Tool where Self.Arguments == Bool {
  /// A schema for true or false.
  public var parameters: GenerationSchema { Bool.generationSchema }
}
