extension GeneratedContent {
  /// Reads JSON, of which the end may be missing: then what stands there so far, and `isComplete` is false.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure` if it is no JSON.
  public init(json: String) throws {
    var reader = JSONReader(json)
    self = try reader.read()
  }

  /// The value as JSON on one line, with its properties in their order.
  public var jsonString: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch kind {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): text += Self.json(value)
    case .string(let value): Self.write(value, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        element.write(to: &text)
      }
      text += "]"
    case .structure(let properties, let keys):
      text += "{"
      for (index, key) in keys.enumerated() {
        if index > 0 { text += ", " }
        Self.write(key, to: &text)
        text += ": "
        (properties[key] ?? GeneratedContent(kind: .null)).write(to: &text)
      }
      text += "}"
    }
  }

  /// JSON has no infinity and nothing that is no number: null.
  private static func json(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    if let whole = Int(exactly: number), number.magnitude < 1e15 { return "\(whole)" }
    return "\(number)"
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  /// The same, with an identity for each structure and list: the one that `identities` has for its place, or a new
  /// one that is noted there.
  func identified(by identities: inout [String: GenerationID], at place: String = "") -> GeneratedContent {
    let kind: Kind
    switch self.kind {
    case .array(let elements):
      kind = .array(
        elements.enumerated().map { $1.identified(by: &identities, at: "\(place)/\($0)") })
    case .structure(let properties, let keys):
      var identified: [String: GeneratedContent] = [:]
      for (key, value) in properties {
        identified[key] = value.identified(by: &identities, at: "\(place)/\(key)")
      }
      kind = .structure(properties: identified, orderedKeys: keys)
    default: return self
    }
    let id = identities[place] ?? GenerationID()
    identities[place] = id
    return GeneratedContent(kind: kind, id: id, isComplete: isComplete)
  }
}
