import Foundation

/// The form of an answer, written as JSON Schema.
public struct GenerationSchema: Sendable, Codable, CustomDebugStringConvertible {
  /// A property of a structure.
  public struct Property: Sendable {
    let property: SchemaObject.Property

    private init(
      _ name: String, _ description: String?, _ type: any Generable.Type, _ guides: [SchemaGuide],
      isOptional: Bool
    ) {
      let node = guides.reduce(SchemaNode.type(type)) { $0.applying($1) }
      property = .init(name: name, description: description, node: node, isOptional: isOptional)
    }

    /// Creates a required property.
    public init<Value>(
      name: String, description: String? = nil, type: Value.Type, guides: [GenerationGuide<Value>] = []
    ) where Value: Generable {
      self.init(name, description, type, guides.map(\.rule), isOptional: false)
    }

    /// Creates an optional property.
    public init<Value>(
      name: String, description: String? = nil, type: Value?.Type, guides: [GenerationGuide<Value>] = []
    ) where Value: Generable {
      self.init(name, description, Value.self, guides.map(\.rule), isOptional: true)
    }

    /// Creates a required text that must match the regular expressions.
    public init<RegexOutput>(
      name: String, description: String? = nil, type: String.Type, guides: [Regex<RegexOutput>] = []
    ) {
      let rules = guides.map { SchemaGuide.pattern($0._literalPattern) }
      self.init(name, description, type, rules, isOptional: false)
    }

    /// Creates an optional text that must match the regular expressions.
    public init<RegexOutput>(
      name: String, description: String? = nil, type: String?.Type, guides: [Regex<RegexOutput>] = []
    ) {
      let rules = guides.map { SchemaGuide.pattern($0._literalPattern) }
      self.init(name, description, String.self, rules, isOptional: true)
    }
  }

  let root: SchemaNode
  /// The schemas that references name.
  let definitions: [String: SchemaNode]

  init(root: SchemaNode, definitions: [String: SchemaNode] = [:]) {
    self.root = root
    self.definitions = definitions
  }

  /// Creates the schema of a structure. Optional properties that are nil are left out.
  public init(type: any Generable.Type, description: String? = nil, properties: [Property]) {
    self.init(
      type: type, description: description, representNilExplicitlyInGeneratedContent: false,
      properties: properties)
  }

  /// Creates the schema of a structure. If `explicitNil` is true, nil is written as `null`; if false, optional properties
  /// that are nil are left out.
  public init(
    type: any Generable.Type, description: String? = nil,
    representNilExplicitlyInGeneratedContent explicitNil: Bool, properties: [Property]
  ) {
    self.init(
      root: .object(
        SchemaObject(
          name: String(describing: type), description: description, properties: properties.map(\.property),
          writesNull: explicitNil)))
  }

  /// Creates a choice between texts.
  public init(type: any Generable.Type, description: String? = nil, anyOf choices: [String]) {
    self.init(
      root: .named(
        String(describing: type), description: description, .string(StringRule(choices: choices))))
  }

  /// Creates a choice between types.
  public init(type: any Generable.Type, description: String? = nil, anyOf types: [any Generable.Type]) {
    self.init(
      root: .named(
        String(describing: type), description: description, .anyOf(types.map { .type($0) })))
  }

  /// The schema as JSON Schema.
  public var debugDescription: String { document().jsonString }

  /// Reads a JSON Schema as `encode(to:)` writes it.
  /// - Throws: the decoder's errors; `DecodingError.dataCorrupted` for any other schema.
  public init(from decoder: any Decoder) throws {
    self = try SchemaReader.read(PortableContent(from: decoder).content)
  }

  /// Writes JSON Schema. The key `x-order` has the order of the properties.
  public func encode(to encoder: any Encoder) throws {
    try PortableContent(content: document()).encode(to: encoder)
  }

  /// The name of the schema in a request.
  public var name: String {
    switch root {
    case .object(let object): object.name
    case .named(let name, _, _): name
    case .type(let type): String(describing: type)
    default: "Answer"
    }
  }
}

extension GenerationSchema {
  /// Why a dynamic schema is not valid.
  public enum SchemaError: Error, LocalizedError {
    /// Details of an error.
    public struct Context: Sendable {
      /// A description for developers.
      public let debugDescription: String

      /// Creates details from a description for developers.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// Two schemas have the same name.
    case duplicateType(schema: String?, type: String, context: Context)
    /// Two properties have the same name.
    case duplicateProperty(schema: String, property: String, context: Context)
    /// A choice is empty.
    case emptyTypeChoices(schema: String, context: Context)
    /// A reference names a schema that does not exist.
    case undefinedReferences(schema: String?, references: [String], context: Context)

    /// What went wrong.
    public var errorDescription: String? {
      switch self {
      case .duplicateType(_, let type, _): "Two schemas are named \(type)."
      case .duplicateProperty(let schema, let property, _): "\(schema) has two properties named \(property)."
      case .emptyTypeChoices(let schema, _): "\(schema) has no choices."
      case .undefinedReferences(_, let references, _):
        "No schema is named \(references.joined(separator: ", "))."
      }
    }

    /// What to do about it.
    public var recoverySuggestion: String? {
      switch self {
      case .duplicateType, .duplicateProperty: "Give each a different name."
      case .emptyTypeChoices: "Add at least one choice."
      case .undefinedReferences: "Add the missing schemas to the dependencies."
      }
    }
  }
}
