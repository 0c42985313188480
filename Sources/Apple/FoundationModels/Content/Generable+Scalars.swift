import Foundation

extension Bool: Generable {
  /// True or false.
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
  /// Any text.
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
  /// Any whole number.
  public static var generationSchema: GenerationSchema {
    GenerationSchema(root: .number(isWhole: true, NumberBounds()))
  }

  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`, of a fraction too.
  public init(_ content: GeneratedContent) throws {
    guard case .number(let number) = content.kind, let value = Int(exactly: number) else {
      throw content.mismatch("a whole number")
    }
    self = value
  }

  /// The number, as exact as a `Double` has it: whole numbers up to 2⁵³.
  public var generatedContent: GeneratedContent { GeneratedContent(kind: .number(Double(self))) }
}

extension Float: Generable {
  /// Any number.
  public static var generationSchema: GenerationSchema {
    GenerationSchema(root: .number(isWhole: false, NumberBounds()))
  }

  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`.
  public init(_ content: GeneratedContent) throws { self = Float(try Double(content)) }

  /// The number.
  public var generatedContent: GeneratedContent { GeneratedContent(kind: .number(Double(self))) }
}

extension Double: Generable {
  /// Any number.
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
  /// Any number.
  public static var generationSchema: GenerationSchema {
    GenerationSchema(root: .number(isWhole: false, NumberBounds()))
  }

  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure`.
  public init(_ content: GeneratedContent) throws {
    let number = try Double(content)
    guard let value = Decimal(string: "\(number)") else { throw content.mismatch("a decimal number") }
    self = value
  }

  /// The number, as exact as a `Double` has it.
  public var generatedContent: GeneratedContent {
    GeneratedContent(kind: .number(NSDecimalNumber(decimal: self).doubleValue))
  }
}

extension Never: Generable {
  /// Nothing at all.
  public static var generationSchema: GenerationSchema { GenerationSchema(root: .anyOf([])) }

  /// - Throws: always.
  public init(_ content: GeneratedContent) throws { throw content.mismatch("nothing") }

  /// There is none.
  public var generatedContent: GeneratedContent { switch self {} }
}
