/// A model's answer as it came: a tree of values, which may still be growing.
public struct GeneratedContent: Sendable, Equatable, Generable, CustomDebugStringConvertible {
  /// What a piece of an answer is.
  public enum Kind: Equatable, Sendable {
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([GeneratedContent])
    /// Named values, and the order in which they came.
    case structure(properties: [String: GeneratedContent], orderedKeys: [String])
  }

  /// Tells the value apart from others; the same in all snapshots of a stream.
  public var id: GenerationID?
  /// What it is.
  public let kind: Kind
  /// Whether the model had ended this value, and all in it.
  public let isComplete: Bool

  /// Any answer.
  public static var generationSchema: GenerationSchema { GenerationSchema(root: .any) }

  init(kind: Kind, id: GenerationID? = nil, isComplete: Bool) {
    self.kind = kind
    self.id = id
    self.isComplete = isComplete
  }

  /// A value.
  public init(kind: Kind, id: GenerationID? = nil) { self.init(kind: kind, id: id, isComplete: true) }

  /// The answer itself.
  public init(_ content: GeneratedContent) throws { self = content }

  /// The answer itself.
  public var generatedContent: GeneratedContent { self }

  /// Named values, of which the last of a name counts.
  public init(
    properties: KeyValuePairs<String, any ConvertibleToGeneratedContent>, id: GenerationID? = nil
  ) {
    self.init(properties: properties.map { ($0, $1) }, id: id) { _, last in last }
  }

  /// Named values.
  /// - Parameter combine: what stands for two values of the same name.
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

  /// A list.
  public init<S>(elements: S, id: GenerationID? = nil)
  where S: Sequence, S.Element == any ConvertibleToGeneratedContent {
    let elements = elements.map(\.generatedContent)
    self.init(kind: .array(elements), id: id, isComplete: elements.allSatisfy(\.isComplete))
  }

  /// A value as an answer.
  public init(_ value: some ConvertibleToGeneratedContent) { self = value.generatedContent }

  /// A value as an answer.
  public init(_ value: some ConvertibleToGeneratedContent, id: GenerationID) {
    self = value.generatedContent
    self.id = id
  }

  /// The value as a type.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure` if it is something else.
  public func value<Value>(_ type: Value.Type = Value.self) throws -> Value
  where Value: ConvertibleFromGeneratedContent {
    try Value(self)
  }

  /// A named value as a type.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure` if there is none, or it is something else.
  public func value<Value>(_ type: Value.Type = Value.self, forProperty property: String) throws -> Value
  where Value: ConvertibleFromGeneratedContent {
    guard let content = try member(property) else { throw mismatch("something with \"\(property)\"") }
    return try Value(content)
  }

  /// A named value as a type; nil if there is none, or it is null, or it cannot be read because more of it is to
  /// come.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure` if it is something else.
  public func value<Value>(_ type: Value?.Type = Value?.self, forProperty property: String) throws -> Value?
  where Value: ConvertibleFromGeneratedContent {
    guard let content = try member(property), content.kind != .null else { return nil }
    return content.isComplete ? try Value(content) : try? Value(content)
  }

  /// The JSON.
  public var debugDescription: String { jsonString }

  private func member(_ name: String) throws -> GeneratedContent? {
    guard case .structure(let properties, _) = kind else { throw mismatch("named values") }
    return properties[name]
  }

  func mismatch(_ expected: String) -> LanguageModelSession.GenerationError {
    .decodingFailure(.init(debugDescription: "Expected \(expected), got \(jsonString.prefix(200))."))
  }
}
