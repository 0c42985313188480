import Foundation

extension Bool: Generable {
  /// A schema for true or false.
  public static var generationSchema: GenerationSchema { GenerationSchema(root: .boolean) }

  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`.
  public init(_ content: GeneratedContent) throws {
    guard case .bool(let value) = content.kind else { throw content.mismatch("true or false") }
    self = value
  }

  /// The value.
  public var generatedContent: GeneratedContent { GeneratedContent(kind: .bool(self)) }
}

extension String: Generable {
  /// A schema for any text.
  public static var generationSchema: GenerationSchema { GenerationSchema(root: .string(StringRule())) }

  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`.
  public init(_ content: GeneratedContent) throws {
    guard case .string(let value) = content.kind else { throw content.mismatch("a text") }
    self = value
  }

  /// The text.
  public var generatedContent: GeneratedContent { GeneratedContent(kind: .string(self)) }
}

extension Int: Generable {
  /// A schema for any whole number.
  public static var generationSchema: GenerationSchema {
    GenerationSchema(root: .number(isWhole: true, NumberBounds()))
  }

  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`, also for a fraction.
  public init(_ content: GeneratedContent) throws {
    guard case .number(let number) = content.kind, let value = Int(exactly: number) else {
      throw content.mismatch("a whole number")
    }
    self = value
  }

  /// The number with the precision of a `Double`: exact up to 2⁵³.
  public var generatedContent: GeneratedContent { GeneratedContent(kind: .number(Double(self))) }
}

extension Float: Generable {
  /// A schema for any number.
  public static var generationSchema: GenerationSchema {
    GenerationSchema(root: .number(isWhole: false, NumberBounds()))
  }

  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`.
  public init(_ content: GeneratedContent) throws { self = Float(try Double(content)) }

  /// The number.
  public var generatedContent: GeneratedContent { GeneratedContent(kind: .number(Double(self))) }
}

extension Double: Generable {
  /// A schema for any number.
  public static var generationSchema: GenerationSchema {
    GenerationSchema(root: .number(isWhole: false, NumberBounds()))
  }

  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`.
  public init(_ content: GeneratedContent) throws {
    guard case .number(let value) = content.kind else { throw content.mismatch("a number") }
    self = value
  }

  /// The number.
  public var generatedContent: GeneratedContent { GeneratedContent(kind: .number(self)) }
}

extension Decimal: Generable {
  /// A schema for any number.
  public static var generationSchema: GenerationSchema {
    GenerationSchema(root: .number(isWhole: false, NumberBounds()))
  }

  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`.
  public init(_ content: GeneratedContent) throws {
    let number = try Double(content)
    guard let value = Decimal(string: "\(number)") else { throw content.mismatch("a decimal number") }
    self = value
  }

  /// The number with the precision of a `Double`.
  public var generatedContent: GeneratedContent {
    GeneratedContent(kind: .number(NSDecimalNumber(decimal: self).doubleValue))
  }
}

extension Never: Generable {
  /// A schema that no answer can follow.
  public static var generationSchema: GenerationSchema { GenerationSchema(root: .anyOf([])) }

  /// - Throws: always.
  public init(_ content: GeneratedContent) throws { throw content.mismatch("nothing") }

  /// Never called: there is no value.
  public var generatedContent: GeneratedContent { switch self {} }
}
