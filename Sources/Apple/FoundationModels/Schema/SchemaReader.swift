/// Reads the JSON Schema that `GenerationSchema` writes.
enum SchemaReader {
  /// - Throws: `DecodingError.dataCorrupted` for a schema that this module does not write.
  static func read(_ content: GeneratedContent) throws -> GenerationSchema {
    var definitions: [String: SchemaNode] = [:]
    if case .structure(let contents, _)? = content["$defs"]?.kind {
      definitions = try contents.mapValues(node)
    }
    return GenerationSchema(root: try node(content), definitions: definitions)
  }

  private static func node(_ content: GeneratedContent) throws -> SchemaNode {
    guard case .structure(_, let keys) = content.kind else { throw corrupted(content) }
    let type = content["type"]?.text
    let title = content["title"]?.text
    if type == "object", let title { return .object(try object(content, title)) }
    let node = try plain(content, type: type, keys: keys)
    guard let title else { return node }
    return .named(title, description: content["description"]?.text, node)
  }

  private static func plain(_ content: GeneratedContent, type: String?, keys: [String]) throws -> SchemaNode {
    if let reference = content["$ref"]?.text, reference.hasPrefix("#/$defs/") {
      return .reference(String(reference.dropFirst("#/$defs/".count)))
    }
    if let choices = content["anyOf"]?.list { return .anyOf(try choices.map(node)) }
    switch type {
    case "null": return .null
    case "boolean": return .boolean
    case "integer", "number":
      let bounds = NumberBounds(minimum: content["minimum"]?.number, maximum: content["maximum"]?.number)
      return .number(isWhole: type == "integer", bounds)
    case "string":
      let choices = try content["enum"].map { try [String]($0) }
      return .string(StringRule(choices: choices, pattern: content["pattern"]?.text))
    case "array":
      guard let items = content["items"] else { throw corrupted(content) }
      let count = CountBounds(
        minimum: try content["minItems"].map { try Int($0) },
        maximum: try content["maxItems"].map { try Int($0) })
      return .array(items: try node(items), count: count)
    case nil where Set(keys).isSubset(of: ["description", "$defs", "title"]): return .any
    default: throw corrupted(content)
    }
  }

  private static func object(_ content: GeneratedContent, _ title: String) throws -> SchemaObject {
    guard let contents = content["properties"], case .structure(let values, let keys) = contents.kind,
      let required = content["required"]
    else { throw corrupted(content) }
    let names = try [String](required)
    let order = try content["x-order"].map { try [String]($0) } ?? keys
    var writesNull = false
    let properties = try order.map { name -> SchemaObject.Property in
      guard let value = values[name] else { throw corrupted(content) }
      var isOptional = !names.contains(name)
      var kept = value
      if let choices = value["anyOf"]?.list, choices.count == 2, choices[1]["type"]?.text == "null" {
        (kept, isOptional, writesNull) = (choices[0], true, true)
      }
      return .init(
        name: name, description: value["description"]?.text, node: try node(kept), isOptional: isOptional)
    }
    return SchemaObject(
      name: title, description: content["description"]?.text, properties: properties, writesNull: writesNull)
  }

  private static func corrupted(_ content: GeneratedContent) -> DecodingError {
    .dataCorrupted(
      .init(
        codingPath: [],
        debugDescription:
          "This is not a schema that GenerationSchema writes: \(content.jsonString.prefix(200))"))
  }
}
