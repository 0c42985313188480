/// What a value may be, as the module holds it; types are resolved when the schema is written, so that they may
/// contain themselves.
indirect enum SchemaNode: Sendable {
  case any
  case null
  case boolean
  case number(isWhole: Bool, NumberBounds)
  case string(StringRule)
  case array(items: SchemaNode, count: CountBounds)
  case object(SchemaObject)
  case anyOf([SchemaNode])
  case reference(String)
  case type(any Generable.Type)
  /// A name and a description for what has no place for them.
  case named(String, description: String?, SchemaNode)
  /// A guide that cannot be expressed.
  case unsupported(String)
}

/// The least and the greatest number.
struct NumberBounds: Sendable {
  var minimum: Double?
  var maximum: Double?
}

/// The least and the greatest count of elements.
struct CountBounds: Sendable {
  var minimum: Int?
  var maximum: Int?
}

/// Which texts.
struct StringRule: Sendable {
  var choices: [String]?
  var pattern: String?
}

/// Named values.
struct SchemaObject: Sendable {
  struct Property: Sendable {
    var name: String
    var description: String?
    var node: SchemaNode
    var isOptional: Bool
  }

  var name: String
  var description: String?
  var properties: [Property]
  /// Whether what is optional is written as null instead of left out.
  var writesNull: Bool
}

extension SchemaNode {
  /// The node with a guide's bounds.
  func applying(_ guide: SchemaGuide) -> SchemaNode {
    switch (self, guide) {
    case (.type(let type), _): return type.generationSchema.root.applying(guide)
    case (.string(var rule), .choices(let choices)):
      rule.choices = choices
      return .string(rule)
    case (.string(var rule), .pattern(let pattern)):
      guard let pattern else { return .unsupported("A regular expression that was not written as one") }
      rule.pattern = pattern
      return .string(rule)
    case (.number(let isWhole, var bounds), .bounds(let other)):
      bounds.minimum = other.minimum ?? bounds.minimum
      bounds.maximum = other.maximum ?? bounds.maximum
      return .number(isWhole: isWhole, bounds)
    case (.array(let items, var count), .count(let other)):
      count.minimum = other.minimum ?? count.minimum
      count.maximum = other.maximum ?? count.maximum
      return .array(items: items, count: count)
    case (.array(let items, let count), .element(let guide)):
      return .array(items: items.applying(guide), count: count)
    default: return .unsupported("A guide for something else")
    }
  }
}
