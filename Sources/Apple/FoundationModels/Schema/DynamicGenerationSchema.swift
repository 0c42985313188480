/// A schema that is created at run time.
///
/// ```swift
/// import FoundationModels
///
/// let side = DynamicGenerationSchema(name: "Side", anyOf: ["left", "right"])
/// let schema = try GenerationSchema(root: side, dependencies: [])
/// let answer = try await LanguageModelSession().respond(to: "Which side?", schema: schema)
/// print(try answer.content.value(String.self))
/// ```
public struct DynamicGenerationSchema: Sendable {
  /// A property of a structure.
  public struct Property {
    let property: SchemaObject.Property
    let schema: DynamicGenerationSchema

    /// Creates a property.
    public init(
      name: String, description: String? = nil, schema: DynamicGenerationSchema, isOptional: Bool = false
    ) {
      property = .init(name: name, description: description, node: schema.reference, isOptional: isOptional)
      self.schema = schema
    }
  }

  let name: String?
  let node: SchemaNode
  /// The schemas that this one contains.
  let parts: [DynamicGenerationSchema]

  private init(name: String?, node: SchemaNode, parts: [DynamicGenerationSchema] = []) {
    self.name = name
    self.node = node
    self.parts = parts
  }

  /// A schema for `null`.
  public static var null: DynamicGenerationSchema { .init(name: nil, node: .null) }

  /// Creates the schema of a structure. Optional properties that are nil are left out.
  public init(name: String, description: String? = nil, properties: [Property]) {
    self.init(
      name: name, description: description, representNilExplicitlyInGeneratedContent: false,
      properties: properties)
  }

  /// Creates the schema of a structure. If `explicitNil` is true, nil is written as `null`; if false, optional properties
  /// that are nil are left out.
  public init(
    name: String, description: String? = nil, representNilExplicitlyInGeneratedContent explicitNil: Bool,
    properties: [Property]
  ) {
    let object = SchemaObject(
      name: name, description: description, properties: properties.map(\.property), writesNull: explicitNil)
    self.init(name: name, node: .object(object), parts: properties.map(\.schema))
  }

  /// Creates a choice between schemas.
  public init(name: String, description: String? = nil, anyOf choices: [DynamicGenerationSchema]) {
    self.init(
      name: name, node: .named(name, description: description, .anyOf(choices.map(\.reference))),
      parts: choices)
  }

  /// Creates a choice between texts.
  public init(name: String, description: String? = nil, anyOf choices: [String]) {
    self.init(
      name: name, node: .named(name, description: description, .string(StringRule(choices: choices))))
  }

  /// Creates the schema of a list.
  public init(
    arrayOf itemSchema: DynamicGenerationSchema, minimumElements: Int? = nil, maximumElements: Int? = nil
  ) {
    let count = CountBounds(minimum: minimumElements, maximum: maximumElements)
    self.init(name: nil, node: .array(items: itemSchema.reference, count: count), parts: [itemSchema])
  }

  /// Creates the schema of a type, limited by guides.
  public init<Value>(type: Value.Type, guides: [GenerationGuide<Value>] = []) where Value: Generable {
    self.init(name: nil, node: guides.reduce(SchemaNode.type(type)) { $0.applying($1.rule) })
  }

  /// Creates a reference to a schema with this name.
  public init(referenceTo name: String) { self.init(name: nil, node: .reference(name)) }

  private var reference: SchemaNode { name.map { .reference($0) } ?? node }
}

extension GenerationSchema {
  /// Creates a schema from a dynamic schema and the schemas that it refers to.
  /// - Throws: `SchemaError` if a name is missing or used twice, or a choice is empty.
  public init(root: DynamicGenerationSchema, dependencies: [DynamicGenerationSchema]) throws {
    let context = { (text: String) in SchemaError.Context(debugDescription: text) }
    var definitions: [String: SchemaNode] = [:]
    var references: [String] = []
    var pending = [root] + dependencies
    while !pending.isEmpty {
      let schema = pending.removeFirst()
      if let name = schema.name {
        guard definitions.updateValue(schema.node, forKey: name) == nil else {
          throw SchemaError.duplicateType(
            schema: root.name, type: name, context: context("Two schemas are named \(name)."))
        }
      }
      references += try schema.node.checkedReferences(of: schema.name ?? "a schema")
      pending += schema.parts
    }
    let missing = Set(references).subtracting(definitions.keys).sorted()
    guard missing.isEmpty else {
      throw SchemaError.undefinedReferences(
        schema: root.name, references: missing,
        context: context("No schema has these names: \(missing.joined(separator: ", "))."))
    }
    // The root needs a definition only if something refers to it.
    if let name = root.name, !references.contains(name) { definitions[name] = nil }
    self.init(root: root.node, definitions: definitions)
  }
}

extension SchemaNode {
  /// The names of the schemas that the node refers to.
  /// - Throws: `GenerationSchema.SchemaError` if two properties have the same name or a choice is empty.
  fileprivate func checkedReferences(of schema: String) throws -> [String] {
    switch self {
    case .reference(let name): return [name]
    case .named(let name, _, let node): return try node.checkedReferences(of: name)
    case .array(let items, _): return try items.checkedReferences(of: schema)
    case .anyOf(let nodes) where nodes.isEmpty:
      throw GenerationSchema.SchemaError.emptyTypeChoices(
        schema: schema, context: .init(debugDescription: "\(schema) has no choices."))
    case .string(let rule) where rule.choices?.isEmpty == true:
      throw GenerationSchema.SchemaError.emptyTypeChoices(
        schema: schema, context: .init(debugDescription: "\(schema) has no choices."))
    case .anyOf(let nodes): return try nodes.flatMap { try $0.checkedReferences(of: schema) }
    case .object(let object):
      var names: Set<String> = []
      for property in object.properties where !names.insert(property.name).inserted {
        throw GenerationSchema.SchemaError.duplicateProperty(
          schema: object.name, property: property.name,
          context: .init(debugDescription: "\(object.name) has two properties named \(property.name)."))
      }
      return try object.properties.flatMap { try $0.node.checkedReferences(of: schema) }
    default: return []
    }
  }
}
