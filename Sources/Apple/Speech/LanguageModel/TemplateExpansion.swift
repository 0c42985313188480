import Foundation

/// Iterates over all phrases of one template, in order.
struct TemplateExpansion: IteratorProtocol {
  private enum Part {
    case text(String)
    case choice(values: [String], index: Int)
  }

  private var parts: [Part]
  private let count: Int
  private var isOver = false

  /// - Throws: `SFSpeechError`.
  init(
    _ template: SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template, classes: [String: [String]]
  ) throws {
    func problem(_ text: String) -> SFSpeechError {
      .malformedData("The template \"\(template.body)\" \(text).")
    }
    parts = try Self.tokens(of: template.body).map { token in
      guard token.isClass else { return .text(token.text) }
      guard let values = classes[token.text] else {
        let text = "The template \"\(template.body)\" uses the class <\(token.text)>, which is not defined."
        throw SFSpeechError(.undefinedTemplateClassName, userInfo: [NSLocalizedDescriptionKey: text])
      }
      guard !values.isEmpty else { throw problem("uses the class <\(token.text)>, which has no values") }
      return .choice(values: values, index: values.count - 1)
    }
    var expansions = 1
    for case .choice(let values, _) in parts {
      let (product, isTooLarge) = expansions.multipliedReportingOverflow(by: values.count)
      guard !isTooLarge else { throw problem("has more expansions than can be counted") }
      expansions = product
    }
    guard template.count > 0 else { throw problem("has the count \(template.count); it must be at least 1") }
    count = max(1, template.count / expansions)
  }

  mutating func next() -> SFCustomLanguageModelData.PhraseCount? {
    guard !isOver else { return nil }
    let text = parts.map { part in
      switch part {
      case .text(let text): text
      case .choice(let values, let index): values[index]
      }
    }.joined()
    advance()
    return .init(phrase: text, count: count)
  }

  private mutating func advance() {
    for part in parts.indices.reversed() {
      guard case .choice(let values, let index) = parts[part] else { continue }
      parts[part] = .choice(values: values, index: index > 0 ? index - 1 : values.count - 1)
      if index > 0 { return }
    }
    isOver = true
  }

  /// The texts and class names of a body. A `<` without its `>` is text.
  private static func tokens(of body: String) -> [(text: String, isClass: Bool)] {
    var tokens: [(String, Bool)] = []
    var rest = body[...]
    while let first = rest.firstIndex(of: "<"), let close = rest[first...].firstIndex(of: ">"),
      let open = rest[..<close].lastIndex(of: "<")
    {
      if open > rest.startIndex { tokens.append((String(rest[..<open]), false)) }
      tokens.append((String(rest[rest.index(after: open)..<close]), true))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { tokens.append((String(rest), false)) }
    return tokens
  }
}
