/// Content that any decoder can read and any encoder can write.
struct PortableContent: Codable {
  let content: GeneratedContent

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(content: GeneratedContent) { self.content = content }

  init(from decoder: any Decoder) throws {
    if let keyed = try? decoder.container(keyedBy: Key.self) {
      let values = try keyed.allKeys.map { key -> (String, any ConvertibleToGeneratedContent) in
        (key.stringValue, try keyed.decode(PortableContent.self, forKey: key).content)
      }
      content = GeneratedContent(properties: values) { _, last in last }
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [GeneratedContent] = []
      while !list.isAtEnd { elements.append(try list.decode(PortableContent.self).content) }
      content = GeneratedContent(kind: .array(elements))
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        content = GeneratedContent(kind: .null)
      } else if let truth = try? value.decode(Bool.self) {
        content = truth.generatedContent
      } else if let number = try? value.decode(Double.self) {
        content = number.generatedContent
      } else {
        content = try value.decode(String.self).generatedContent
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch content.kind {
    case .structure(let properties, let keys):
      var container = encoder.container(keyedBy: Key.self)
      for key in keys {
        guard let value = properties[key] else { continue }
        try container.encode(PortableContent(content: value), forKey: Key(stringValue: key))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(PortableContent(content: element)) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .number(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    }
  }
}
