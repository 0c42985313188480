/// What an answer must look like. It is written as JSON Schema.
public struct GenerationSchema: Sendable, Codable, CustomDebugStringConvertible {
  /// A named value of a type.
  public struct Property: Sendable {
    let property: SchemaObject.Property

    private init(
      _ name: String, _ description: String?, _ type: any Generable.Type, _ guides: [SchemaGuide],
      isOptional: Bool
    ) {
      let node = guides.reduce(SchemaNode.type(type)) { $0.applying($1) }
      property = .init(name: name, description: description, node: node, isOptional: isOptional)
    }

    /// A value that must be there.
    public init<Value>(
      name: String, description: String? = nil, type: Value.Type, guides: [GenerationGuide<Value>] = []
    ) where Value: Generable {
      self.init(name, description, type, guides.map(\.rule), isOptional: false)
    }

    /// A value that may be missing.
    public init<Value>(
      name: String, description: String? = nil, type: Value?.Type, guides: [GenerationGuide<Value>] = []
    ) where Value: Generable {
      self.init(name, description, Value.self, guides.map(\.rule), isOptional: true)
    }

    /// A text that the regular expressions match.
    public init<RegexOutput>(
      name: String, description: String? = nil, type: String.Type, guides: [Regex<RegexOutput>] = []
    ) {
      let rules = guides.map { SchemaGuide.pattern($0._literalPattern) }
      self.init(name, description, type, rules, isOptional: false)
    }

    /// A text that the regular expressions match, or nothing.
    public init<RegexOutput>(
      name: String, description: String? = nil, type: String?.Type, guides: [Regex<RegexOutput>] = []
    ) {
      let rules = guides.map { SchemaGuide.pattern($0._literalPattern) }
      self.init(name, description, String.self, rules, isOptional: true)
    }
  }

  let root: SchemaNode
  /// What references name.
  let definitions: [String: SchemaNode]

  init(root: SchemaNode, definitions: [String: SchemaNode] = [:]) {
    self.root = root
    self.definitions = definitions
  }

  /// A structure. What is optional and nil is left out.
  public init(type: any Generable.Type, description: String? = nil, properties: [Property]) {
    self.init(
      type: type, description: description, representNilExplicitlyInGeneratedContent: false,
      properties: properties)
  }

  /// A structure.
  /// - Parameter explicitNil: whether what is optional and nil is written as null.
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

  /// One of some texts.
  public init(type: any Generable.Type, description: String? = nil, anyOf choices: [String]) {
    self.init(
      root: .named(
        String(describing: type), description: description, .string(StringRule(choices: choices))))
  }

  /// One of some types.
  public init(type: any Generable.Type, description: String? = nil, anyOf types: [any Generable.Type]) {
    self.init(
      root: .named(
        String(describing: type), description: description, .anyOf(types.map { .type($0) })))
  }

  /// The JSON Schema.
  public var debugDescription: String { document().jsonString }

  /// Reads a JSON Schema as `encode(to:)` writes it.
  /// - Throws: what the decoder throws; `DecodingError.dataCorrupted` of a schema that says something else.
  public init(from decoder: any Decoder) throws {
    self = try SchemaReader.read(PortableContent(from: decoder).content)
  }

  /// Writes JSON Schema. The order of properties stands in `x-order`.
  public func encode(to encoder: any Encoder) throws {
    try PortableContent(content: document()).encode(to: encoder)
  }

  /// Its name in a request.
  var name: String {
    switch root {
    case .object(let object): object.name
    case .named(let name, _, _): name
    case .type(let type): String(describing: type)
    default: "Answer"
    }
  }
}
