import Foundation

/// A type that a model can answer with. The macro `@Generable` writes the requirements.
///
/// ```swift
/// import FoundationModels
///
/// @Generable
/// struct Choice {
///   @Guide(description: "The number of the best candidate", .range(0...3))
///   var index: Int
/// }
///
/// let prompt = "Which is a sentence? 0: a tall man. 1: he is tall."
/// let choice = try await LanguageModelSession().respond(to: prompt, generating: Choice.self).content
/// print(choice.index)
/// ```
public protocol Generable: ConvertibleFromGeneratedContent, ConvertibleToGeneratedContent {
  /// The type of a value that is still being generated.
  associatedtype PartiallyGenerated: ConvertibleFromGeneratedContent = Self

  /// The schema that answers must follow.
  static var generationSchema: GenerationSchema { get }
}

extension Generable {
  /// A scalar has no partial form: it is complete or missing.
  public typealias PartiallyGenerated = Self

  /// Converts a complete value to its partial form.
  public func asPartiallyGenerated() -> Self.PartiallyGenerated {
    do {
      return try PartiallyGenerated(generatedContent)
    } catch {
      preconditionFailure(
        "\(Self.PartiallyGenerated.self) cannot read the content that \(Self.self) writes: \(error)")
    }
  }
}

extension Optional where Wrapped: Generable {
  /// The partial form of the wrapped type.
  public typealias PartiallyGenerated = Wrapped.PartiallyGenerated
}

extension Optional: ConvertibleToGeneratedContent, PromptRepresentable, InstructionsRepresentable
where Wrapped: ConvertibleToGeneratedContent {
  /// The content of the value, or `null`.
  public var generatedContent: GeneratedContent { self?.generatedContent ?? GeneratedContent(kind: .null) }
}

extension Array: Generable where Element: Generable {
  /// The elements that exist so far.
  public typealias PartiallyGenerated = [Element.PartiallyGenerated]

  /// A list of any length.
  public static var generationSchema: GenerationSchema {
    GenerationSchema(root: .array(items: .type(Element.self), count: CountBounds()))
  }
}

extension Array: ConvertibleToGeneratedContent where Element: ConvertibleToGeneratedContent {
  /// The content of all elements, as a list.
  public var generatedContent: GeneratedContent {
    GeneratedContent(kind: .array(map(\.generatedContent)))
  }
}

extension Array: ConvertibleFromGeneratedContent where Element: ConvertibleFromGeneratedContent {
  /// Reads the elements of a list. An incomplete element that cannot be read yet is left out.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`.
  public init(_ content: GeneratedContent) throws {
    guard case .array(let elements) = content.kind else { throw content.mismatch("a list") }
    self = try elements.compactMap { element in
      element.isComplete ? try Element(element) : try? Element(element)
    }
  }
}

/// A type that can be created from a model's answer.
public protocol ConvertibleFromGeneratedContent: SendableMetatype {
  /// Creates a value from an answer.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure` if the answer has another form.
  init(_ content: GeneratedContent) throws
}

/// A type that can be written as a model's answer. In prompts and instructions it appears as JSON.
public protocol ConvertibleToGeneratedContent: InstructionsRepresentable, PromptRepresentable {
  /// The value in the form of an answer.
  var generatedContent: GeneratedContent { get }
}

extension ConvertibleToGeneratedContent {
  /// The value as JSON.
  public var instructionsRepresentation: Instructions { return Instructions(generatedContent.jsonString) }

  /// The value as JSON.
  public var promptRepresentation: Prompt { return Prompt(generatedContent.jsonString) }
}

extension [String: any ConvertibleToGeneratedContent] {
  /// The values in the form of an answer.
  var contents: [String: GeneratedContent] { mapValues { $0.generatedContent } }
}
