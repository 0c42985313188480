/// The form of a value. Types are resolved only when the schema is written, so that a type may contain itself.
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
  /// A node with a name and a description.
  case named(String, description: String?, SchemaNode)
  /// A guide that a schema cannot express, with the reason.
  case unsupported(String)
}

/// The range of a number.
struct NumberBounds: Sendable {
  var minimum: Double?
  var maximum: Double?
}

/// The range of the number of elements.
struct CountBounds: Sendable {
  var minimum: Int?
  var maximum: Int?
}

/// The limits of a text.
struct StringRule: Sendable {
  var choices: [String]?
  var pattern: String?
}

/// The schema of a structure.
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
  /// Whether nil is written as `null` instead of left out.
  var writesNull: Bool
}

extension SchemaNode {
  /// The node with the limits of a guide.
  func applying(_ guide: SchemaGuide) -> SchemaNode {
    switch (self, guide) {
    case (.type(let type), _): return type.generationSchema.root.applying(guide)
    case (.string(var rule), .choices(let choices)):
      rule.choices = choices
      return .string(rule)
    case (.string(var rule), .pattern(let pattern)):
      guard let pattern else { return .unsupported("A regular expression that is not a literal") }
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
    default: return .unsupported("A guide for a value of another type")
    }
  }
}
