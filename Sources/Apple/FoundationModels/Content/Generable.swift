import Foundation

/// What a model can be asked to answer with. `@Generable` writes what it asks for.
///
/// ```swift
/// @Generable
/// struct Election {
///   @Guide(description: "Which candidate was said", .range(0...3))
///   var index: Int
/// }
/// let election = try await session.respond(to: prompt, generating: Election.self).content
/// ```
public protocol Generable: ConvertibleFromGeneratedContent, ConvertibleToGeneratedContent {
  /// What is known of a value while it is being generated.
  associatedtype PartiallyGenerated: ConvertibleFromGeneratedContent = Self

  /// What answers look like.
  static var generationSchema: GenerationSchema { get }
}

extension Generable {
  /// Scalars are there whole or not at all.
  public typealias PartiallyGenerated = Self

  /// The value as one that might still be growing.
  public func asPartiallyGenerated() -> Self.PartiallyGenerated {
    do {
      return try PartiallyGenerated(generatedContent)
    } catch {
      preconditionFailure("\(Self.self) writes what its own partial form cannot read: \(error)")
    }
  }
}

extension Optional where Wrapped: Generable {
  /// What is known of the value while it is being generated.
  public typealias PartiallyGenerated = Wrapped.PartiallyGenerated
}

extension Optional: ConvertibleToGeneratedContent, PromptRepresentable, InstructionsRepresentable
where Wrapped: ConvertibleToGeneratedContent {
  /// The value, or null.
  public var generatedContent: GeneratedContent { self?.generatedContent ?? GeneratedContent(kind: .null) }
}

extension Array: Generable where Element: Generable {
  /// The elements so far.
  public typealias PartiallyGenerated = [Element.PartiallyGenerated]

  /// A list of any length.
  public static var generationSchema: GenerationSchema {
    GenerationSchema(root: .array(items: .type(Element.self), count: CountBounds()))
  }
}

extension Array: ConvertibleToGeneratedContent where Element: ConvertibleToGeneratedContent {
  /// The list.
  public var generatedContent: GeneratedContent {
    GeneratedContent(kind: .array(map(\.generatedContent)))
  }
}

extension Array: ConvertibleFromGeneratedContent where Element: ConvertibleFromGeneratedContent {
  /// The elements of a list. Of a list that is not complete, the last element is left out if it cannot be read yet.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`.
  public init(_ content: GeneratedContent) throws {
    guard case .array(let elements) = content.kind else { throw content.mismatch("a list") }
    self = try elements.compactMap { element in
      element.isComplete ? try Element(element) : try? Element(element)
    }
  }
}
