import Foundation

/// Every phrase that one template stands for, in order.
struct TemplateExpansion: IteratorProtocol {
  private enum Part {
    case text(String)
    case choice(values: [String], place: Int)
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
    parts = try Self.pieces(of: template.body).map { piece in
      guard piece.isClass else { return .text(piece.text) }
      guard let values = classes[piece.text] else {
        let text = "The template \"\(template.body)\" names the class <\(piece.text)>, which is not defined."
        throw SFSpeechError(.undefinedTemplateClassName, userInfo: [NSLocalizedDescriptionKey: text])
      }
      guard !values.isEmpty else { throw problem("names the class <\(piece.text)>, which has no values") }
      return .choice(values: values, place: values.count - 1)
    }
    var expansions = 1
    for case .choice(let values, _) in parts {
      let (product, isTooLarge) = expansions.multipliedReportingOverflow(by: values.count)
      guard !isTooLarge else { throw problem("stands for more phrases than can be counted") }
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
      case .choice(let values, let place): values[place]
      }
    }.joined()
    advance()
    return .init(phrase: text, count: count)
  }

  private mutating func advance() {
    for index in parts.indices.reversed() {
      guard case .choice(let values, let place) = parts[index] else { continue }
      parts[index] = .choice(values: values, place: place > 0 ? place - 1 : values.count - 1)
      if place > 0 { return }
    }
    isOver = true
  }

  /// The body's texts and names of classes; a `<` without its `>` is text.
  private static func pieces(of body: String) -> [(text: String, isClass: Bool)] {
    var pieces: [(String, Bool)] = []
    var rest = body[...]
    while let first = rest.firstIndex(of: "<"), let close = rest[first...].firstIndex(of: ">"),
      let open = rest[..<close].lastIndex(of: "<")
    {
      if open > rest.startIndex { pieces.append((String(rest[..<open]), false)) }
      pieces.append((String(rest[rest.index(after: open)..<close]), true))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append((String(rest), false)) }
    return pieces
  }
}
