extension GeneratedContent {
  /// Reads JSON. If the end of the text is missing, reads the values so far, and `isComplete` is false.
  /// - Throws: `LanguageModelSession.GenerationError.decodingFailure` if the text is not JSON.
  public init(json: String) throws {
    var reader = JSONReader(json)
    self = try reader.read()
  }

  /// The value as JSON on one line. Properties keep their order.
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

  /// JSON cannot express infinity or NaN; they are written as `null`.
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

  /// Returns the content with an identity for each structure and list.
  /// - Parameters:
  ///   - identities: the identities by path. A path without an identity gets a new one.
  ///   - path: the path of this value from the root, such as `/players/0`.
  func identified(by identities: inout [String: GenerationID], at path: String = "") -> GeneratedContent {
    let kind: Kind
    switch self.kind {
    case .array(let elements):
      kind = .array(
        elements.enumerated().map { $1.identified(by: &identities, at: "\(path)/\($0)") })
    case .structure(let properties, let keys):
      var identified: [String: GeneratedContent] = [:]
      for (key, value) in properties {
        identified[key] = value.identified(by: &identities, at: "\(path)/\(key)")
      }
      kind = .structure(properties: identified, orderedKeys: keys)
    default: return self
    }
    let id = identities[path] ?? GenerationID()
    identities[path] = id
    return GeneratedContent(kind: kind, id: id, isComplete: isComplete)
  }
}

/// Access to the JSON that a server wraps around an answer of the model.
///
/// Inlining is off because the optimizer of Swift 6.3.1 crashes where two of these functions are inlined together.
extension GeneratedContent {
  /// The value of a property; nil if it is missing or `null`.
  subscript(name: String) -> GeneratedContent? {
    guard case .structure(let properties, _) = kind, let value = properties[name], value.kind != .null else {
      return nil
    }
    return value
  }

  @inline(never) var text: String? {
    if case .string(let value) = kind { value } else { nil }
  }

  @inline(never) var number: Double? {
    if case .number(let value) = kind { value } else { nil }
  }

  @inline(never) var list: [GeneratedContent]? {
    if case .array(let elements) = kind { elements } else { nil }
  }
}
