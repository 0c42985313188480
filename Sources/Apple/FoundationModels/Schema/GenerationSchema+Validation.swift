extension GenerationSchema {
  /// Checks an answer, because not every server follows the schema in a request.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure` if the answer does not follow the schema.
  func validate(_ content: GeneratedContent) throws {
    try Validator(definitions: definitions).validate(content, as: root)
  }
}

private struct Validator {
  let definitions: [String: SchemaNode]

  func validate(_ content: GeneratedContent, as node: SchemaNode) throws {
    switch node {
    case .any: break
    case .unsupported: throw content.mismatch("a value for a guide that is not supported")
    case .null: guard content.kind == .null else { throw content.mismatch("null") }
    case .boolean: _ = try Bool(content)
    case .number(let isWhole, let bounds):
      let number = isWhole ? Double(try Int(content)) : try Double(content)
      guard number >= bounds.minimum ?? number, number <= bounds.maximum ?? number else {
        throw content.mismatch("a number in its range")
      }
    case .string(let rule):
      let text = try String(content)
      guard rule.choices?.contains(text) ?? true else { throw content.mismatch("one of the choices") }
      guard try rule.pattern.map({ try text.wholeMatch(of: Regex($0)) != nil }) ?? true else {
        throw content.mismatch("a text that matches the pattern")
      }
    case .array(let items, let count):
      guard case .array(let elements) = content.kind else { throw content.mismatch("a list") }
      guard elements.count >= count.minimum ?? 0, elements.count <= count.maximum ?? .max else {
        throw content.mismatch("a list with the requested number of elements")
      }
      for element in elements { try validate(element, as: items) }
    case .object(let object): try validate(content, as: object)
    case .anyOf(let nodes):
      guard nodes.contains(where: { (try? validate(content, as: $0)) != nil }) else {
        throw content.mismatch("one of the alternatives")
      }
    case .reference(let name):
      guard let node = definitions[name] else {
        throw content.mismatch("a value of the undefined schema \(name)")
      }
      try validate(content, as: node)
    case .type(let type): try type.generationSchema.validate(content)
    case .named(_, _, let node): try validate(content, as: node)
    }
  }

  private func validate(_ content: GeneratedContent, as object: SchemaObject) throws {
    guard case .structure(let values, _) = content.kind else { throw content.mismatch(object.name) }
    for property in object.properties {
      guard let value = values[property.name], !(property.isOptional && value.kind == .null) else {
        if property.isOptional { continue }
        throw content.mismatch("\(object.name) with \"\(property.name)\"")
      }
      try validate(value, as: property.node)
    }
  }
}
