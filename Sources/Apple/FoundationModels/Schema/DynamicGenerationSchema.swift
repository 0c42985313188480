/// A schema that is put together while the program runs.
///
/// ```swift
/// let pick = DynamicGenerationSchema(name: "Pick", anyOf: candidates)
/// let schema = try GenerationSchema(root: pick, dependencies: [])
/// ```
public struct DynamicGenerationSchema: Sendable {
  /// A named value.
  public struct Property {
    let property: SchemaObject.Property
    let schema: DynamicGenerationSchema

    /// A named value.
    public init(
      name: String, description: String? = nil, schema: DynamicGenerationSchema, isOptional: Bool = false
    ) {
      property = .init(name: name, description: description, node: schema.reference, isOptional: isOptional)
      self.schema = schema
    }
  }

  let name: String?
  let node: SchemaNode
  /// The named schemas within.
  let parts: [DynamicGenerationSchema]

  private init(name: String?, node: SchemaNode, parts: [DynamicGenerationSchema] = []) {
    self.name = name
    self.node = node
    self.parts = parts
  }

  /// Nothing.
  public static var null: DynamicGenerationSchema { .init(name: nil, node: .null) }

  /// A structure. What is optional and nil is left out.
  public init(name: String, description: String? = nil, properties: [Property]) {
    self.init(
      name: name, description: description, representNilExplicitlyInGeneratedContent: false,
      properties: properties)
  }

  /// A structure.
  /// - Parameter explicitNil: whether what is optional and nil is written as null.
  public init(
    name: String, description: String? = nil, representNilExplicitlyInGeneratedContent explicitNil: Bool,
    properties: [Property]
  ) {
    let object = SchemaObject(
      name: name, description: description, properties: properties.map(\.property), writesNull: explicitNil)
    self.init(name: name, node: .object(object), parts: properties.map(\.schema))
  }

  /// One of some schemas.
  public init(name: String, description: String? = nil, anyOf choices: [DynamicGenerationSchema]) {
    self.init(
      name: name, node: .named(name, description: description, .anyOf(choices.map(\.reference))),
      parts: choices)
  }

  /// One of some texts.
  public init(name: String, description: String? = nil, anyOf choices: [String]) {
    self.init(
      name: name, node: .named(name, description: description, .string(StringRule(choices: choices))))
  }

  /// A list.
  public init(
    arrayOf itemSchema: DynamicGenerationSchema, minimumElements: Int? = nil, maximumElements: Int? = nil
  ) {
    let count = CountBounds(minimum: minimumElements, maximum: maximumElements)
    self.init(name: nil, node: .array(items: itemSchema.reference, count: count), parts: [itemSchema])
  }

  /// A type, with guides.
  public init<Value>(type: Value.Type, guides: [GenerationGuide<Value>] = []) where Value: Generable {
    self.init(name: nil, node: guides.reduce(SchemaNode.type(type)) { $0.applying($1.rule) })
  }

  /// A schema that stands elsewhere.
  public init(referenceTo name: String) { self.init(name: nil, node: .reference(name)) }

  private var reference: SchemaNode { name.map { .reference($0) } ?? node }
}

extension GenerationSchema {
  /// A schema of one that was put together, and of those that it refers to.
  /// - Throws: `SchemaError`.
  public init(root: DynamicGenerationSchema, dependencies: [DynamicGenerationSchema]) throws {
    let context = { (text: String) in SchemaError.Context(debugDescription: text) }
    var definitions: [String: SchemaNode] = [:]
    var references: [String] = []
    var waiting = [root] + dependencies
    while !waiting.isEmpty {
      let schema = waiting.removeFirst()
      if let name = schema.name {
        guard definitions.updateValue(schema.node, forKey: name) == nil else {
          throw SchemaError.duplicateType(
            schema: root.name, type: name, context: context("\(name) stands there twice."))
        }
      }
      references += try schema.node.checkedReferences(of: schema.name ?? "a schema")
      waiting += schema.parts
    }
    let missing = Set(references).subtracting(definitions.keys).sorted()
    guard missing.isEmpty else {
      throw SchemaError.undefinedReferences(
        schema: root.name, references: missing, context: context("Not defined: \(missing)."))
    }
    // A root that nothing refers to needs no definition.
    if let name = root.name, !references.contains(name) { definitions[name] = nil }
    self.init(root: root.node, definitions: definitions)
  }
}

extension SchemaNode {
  /// The schemas that it names.
  /// - Throws: `GenerationSchema.SchemaError` for two properties of one name, and for no choices.
  fileprivate func checkedReferences(of schema: String) throws -> [String] {
    switch self {
    case .reference(let name): return [name]
    case .named(let name, _, let node): return try node.checkedReferences(of: name)
    case .array(let items, _): return try items.checkedReferences(of: schema)
    case .anyOf(let nodes) where nodes.isEmpty:
      throw GenerationSchema.SchemaError.emptyTypeChoices(
        schema: schema, context: .init(debugDescription: "No choices."))
    case .string(let rule) where rule.choices?.isEmpty == true:
      throw GenerationSchema.SchemaError.emptyTypeChoices(
        schema: schema, context: .init(debugDescription: "No choices."))
    case .anyOf(let nodes): return try nodes.flatMap { try $0.checkedReferences(of: schema) }
    case .object(let object):
      var names: Set<String> = []
      for property in object.properties where !names.insert(property.name).inserted {
        throw GenerationSchema.SchemaError.duplicateProperty(
          schema: object.name, property: property.name,
          context: .init(debugDescription: "\(property.name) stands there twice."))
      }
      return try object.properties.flatMap { try $0.node.checkedReferences(of: schema) }
    default: return []
    }
  }
}
