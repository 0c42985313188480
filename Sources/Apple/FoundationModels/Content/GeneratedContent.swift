import Foundation

/// A model's answer as a tree of values, complete or not.
public struct GeneratedContent: Sendable, Equatable, Generable, CustomDebugStringConvertible {
  /// The kinds of values.
  public enum Kind: Equatable, Sendable {
    /// No value.
    case null
    /// True or false.
    case bool(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([GeneratedContent])
    /// Named values, and the order in which they were generated.
    case structure(properties: [String: GeneratedContent], orderedKeys: [String])
  }

  /// The identity of the value. It is the same in all snapshots of a stream.
  public var id: GenerationID?
  /// The value itself.
  public let kind: Kind
  /// Whether the model has finished this value and everything in it.
  public let isComplete: Bool

  /// A schema that allows every answer.
  public static var generationSchema: GenerationSchema { GenerationSchema(root: .any) }

  init(kind: Kind, id: GenerationID? = nil, isComplete: Bool) {
    self.kind = kind
    self.id = id
    self.isComplete = isComplete
  }

  /// Creates a complete value.
  public init(kind: Kind, id: GenerationID? = nil) { self.init(kind: kind, id: id, isComplete: true) }

  /// The content itself.
  public init(_ content: GeneratedContent) throws { self = content }

  /// The content itself.
  public var generatedContent: GeneratedContent { self }

  /// Creates a structure. If a name occurs twice, the last value counts.
  public init(
    properties: KeyValuePairs<String, any ConvertibleToGeneratedContent>, id: GenerationID? = nil
  ) {
    self.init(properties: properties.map { ($0, $1) }, id: id) { _, last in last }
  }

  /// Creates a structure. For two values with the same name, `combine` returns the value to use.
  public init<S>(
    properties: S, id: GenerationID? = nil,
    uniquingKeysWith combine: (GeneratedContent, GeneratedContent) throws ->
      some ConvertibleToGeneratedContent
  ) rethrows where S: Sequence, S.Element == (String, any ConvertibleToGeneratedContent) {
    var values: [String: GeneratedContent] = [:]
    var keys: [String] = []
    for (name, property) in properties {
      let content = property.generatedContent
      if let first = values[name] {
        values[name] = try combine(first, content).generatedContent
      } else {
        keys.append(name)
        values[name] = content
      }
    }
    self.init(
      kind: .structure(properties: values, orderedKeys: keys), id: id,
      isComplete: values.values.allSatisfy(\.isComplete))
  }

  /// Creates a list.
  public init<S>(elements: S, id: GenerationID? = nil)
  where S: Sequence, S.Element == any ConvertibleToGeneratedContent {
    let elements = elements.map(\.generatedContent)
    self.init(kind: .array(elements), id: id, isComplete: elements.allSatisfy(\.isComplete))
  }

  /// Creates the content of a value.
  public init(_ value: some ConvertibleToGeneratedContent) { self = value.generatedContent }

  /// Creates the content of a value.
  public init(_ value: some ConvertibleToGeneratedContent, id: GenerationID) {
    self = value.generatedContent
    self.id = id
  }

  /// Converts the content to a type.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure` if the content has another form.
  public func value<Value>(_ type: Value.Type = Value.self) throws -> Value
  where Value: ConvertibleFromGeneratedContent {
    try Value(self)
  }

  /// Converts a property to a type.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure` if the property is missing or has another form.
  public func value<Value>(_ type: Value.Type = Value.self, forProperty property: String) throws -> Value
  where Value: ConvertibleFromGeneratedContent {
    guard let content = try member(property) else {
      throw mismatch("an object with the property \"\(property)\"")
    }
    return try Value(content)
  }

  /// Converts a property to a type. Returns nil if the property is missing or `null`, or if it is incomplete and cannot
  /// be read yet.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure` if the property has another form.
  public func value<Value>(_ type: Value?.Type = Value?.self, forProperty property: String) throws -> Value?
  where Value: ConvertibleFromGeneratedContent {
    guard let content = try member(property), content.kind != .null else { return nil }
    return content.isComplete ? try Value(content) : try? Value(content)
  }

  /// The content as JSON.
  public var debugDescription: String { jsonString }

  private func member(_ name: String) throws -> GeneratedContent? {
    guard case .structure(let properties, _) = kind else { throw mismatch("an object") }
    return properties[name]
  }

  /// The error for content that has another form than expected.
  func mismatch(_ expected: String) -> LanguageModelSession.GenerationError {
    .decodingFailure(.init(debugDescription: "Expected \(expected), got \(jsonString.prefix(200))."))
  }
}

/// The identity of a generated value. It stays the same in all snapshots of a streamed answer.
public struct GenerationID: Sendable, Hashable {
  private let value = UUID()

  /// Creates a new, unique identity.
  public init() {}
}
