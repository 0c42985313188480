/// For JSON that is not an answer of the model, but the server's.
///
/// None of it is inlined: the optimizer of Swift 6.3.1 finds its own work at fault where two of these meet, and ends.
extension GeneratedContent {
  /// What stands under a name; nil if there is nothing or null.
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
