extension GenerationSchema {
  /// The form of the JSON Schema.
  enum Dialect {
    /// As Apple's framework encodes it: optional properties are not required, and `x-order` has the order.
    case portable
    /// As servers need it: all properties are required, and optional ones may be `null`.
    case strict
  }

  /// The schema as JSON Schema.
  func document(_ dialect: Dialect = .portable) -> GeneratedContent {
    var writer = SchemaWriter(dialect: dialect)
    return writer.document(of: self)
  }

  /// Why a server cannot receive the schema; nil if it can.
  var unsupportedGuide: String? {
    var writer = SchemaWriter(dialect: .strict)
    _ = writer.document(of: self)
    return writer.unsupported
  }
}

/// Writes a schema. Each named type in it is written once.
private struct SchemaWriter {
  let dialect: GenerationSchema.Dialect
  private(set) var unsupported: String?
  private var names: [ObjectIdentifier: String] = [:]
  private var definitions: [(name: String, content: GeneratedContent?)] = []

  private typealias Fields = [(String, any ConvertibleToGeneratedContent)]

  init(dialect: GenerationSchema.Dialect) { self.dialect = dialect }

  mutating func document(of schema: GenerationSchema) -> GeneratedContent {
    for name in schema.definitions.keys.sorted() { definitions.append((name, nil)) }
    var fields = fields(of: schema.root)
    for (name, node) in schema.definitions { define(name, as: content(of: node)) }
    if !definitions.isEmpty {
      let contents: Fields = definitions.map { ($0.name, $0.content) }
      fields.append(("$defs", Self.structure(contents)))
    }
    return Self.structure(fields)
  }

  private mutating func content(of node: SchemaNode) -> GeneratedContent { Self.structure(fields(of: node)) }

  private mutating func fields(of node: SchemaNode) -> Fields {
    switch node {
    case .any: return []
    case .null: return [("type", "null")]
    case .boolean: return [("type", "boolean")]
    case .number(let isWhole, let bounds):
      var fields: Fields = [("type", isWhole ? "integer" : "number")]
      if let minimum = bounds.minimum { fields.append(("minimum", minimum)) }
      if let maximum = bounds.maximum { fields.append(("maximum", maximum)) }
      return fields
    case .string(let rule):
      var fields: Fields = [("type", "string")]
      if let choices = rule.choices { fields.append(("enum", choices)) }
      if let pattern = rule.pattern {
        // Servers need anchors.
        fields.append(("pattern", dialect == .strict ? "^(\(pattern))$" : pattern))
      }
      return fields
    case .array(let items, let count):
      var fields: Fields = [("type", "array"), ("items", content(of: items))]
      if let minimum = count.minimum { fields.append(("minItems", minimum)) }
      if let maximum = count.maximum { fields.append(("maxItems", maximum)) }
      return fields
    case .object(let object): return self.fields(of: object)
    case .anyOf(let nodes): return [("anyOf", nodes.map { content(of: $0) })]
    case .reference(let name): return [("$ref", "#/$defs/\(name)")]
    case .type(let type): return reference(to: type)
    case .named(let name, let description, let node):
      var fields: Fields = [("title", name)]
      if let description { fields.append(("description", description)) }
      return fields + self.fields(of: node)
    case .unsupported(let reason):
      unsupported = unsupported ?? reason
      return []
    }
  }

  private mutating func fields(of object: SchemaObject) -> Fields {
    var properties: Fields = []
    for property in object.properties {
      var fields: Fields = fields(of: property.node)
      if dialect == .strict || object.writesNull, property.isOptional {
        fields = [("anyOf", [Self.structure(fields), Self.structure([("type", "null")])])]
      }
      if let description = property.description {
        fields.removeAll { $0.0 == "description" }
        fields.append(("description", description))
      }
      properties.append((property.name, Self.structure(fields)))
    }
    let isRequired = { (property: SchemaObject.Property) in
      dialect == .strict || object.writesNull || !property.isOptional
    }
    var fields: Fields = [("title", object.name), ("type", "object")]
    if let description = object.description { fields.append(("description", description)) }
    fields.append(("properties", Self.structure(properties)))
    fields.append(("required", object.properties.filter(isRequired).map(\.name)))
    fields.append(("additionalProperties", false))
    if dialect == .portable { fields.append(("x-order", object.properties.map(\.name))) }
    return fields
  }

  /// A scalar or a list is written in place. A type with a name is written once, in the definitions.
  private mutating func reference(to type: any Generable.Type) -> Fields {
    let identifier = ObjectIdentifier(type)
    if let name = names[identifier] { return [("$ref", "#/$defs/\(name)")] }
    let schema = type.generationSchema
    switch schema.root {
    case .object, .named: break
    default: return fields(of: schema.root)
    }
    var name = schema.name
    while definitions.contains(where: { $0.name == name }) { name += "_" }
    names[identifier] = name
    definitions.append((name, nil))
    for (name, node) in schema.definitions where !definitions.contains(where: { $0.name == name }) {
      definitions.append((name, nil))
      define(name, as: content(of: node))
    }
    define(name, as: content(of: schema.root))
    return [("$ref", "#/$defs/\(name)")]
  }

  private mutating func define(_ name: String, as content: GeneratedContent) {
    if let index = definitions.firstIndex(where: { $0.name == name }) { definitions[index].content = content }
  }

  private static func structure(_ fields: Fields) -> GeneratedContent {
    GeneratedContent(properties: fields) { _, last in last }
  }
}
