/// Reads the text of HTML and XML, however damaged: tags part it, and are left out.
struct MarkupReader {
  /// The elements whose text is no text of the document.
  let skipped: Set<String>
  /// The elements that begin and end paragraphs.
  let blocks: Set<String>

  /// A page.
  static let html = MarkupReader(
    skipped: ["script", "style", "head", "title", "template"],
    blocks: [
      "p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "blockquote",
      "td",
    ])
  /// The main part of a Word document.
  static let word = MarkupReader(skipped: ["w:instrtext", "w:deltext"], blocks: ["w:p", "w:br", "w:tab"])

  /// The texts between paragraphs' ends, without empty ones.
  func paragraphs(in markup: String) -> [String] {
    var paragraphs = [""]
    var rest = markup[...]
    var skipping: String?
    while !rest.isEmpty {
      let text = rest.prefix { $0 != "<" }
      if skipping == nil { paragraphs[paragraphs.count - 1] += Self.unescaped(String(text)) }
      rest = rest[text.endIndex...]
      guard !rest.isEmpty else { break }
      if rest.hasPrefix("<!--") {
        rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
        continue
      }
      let tag = rest.prefix { $0 != ">" }
      rest = rest[tag.endIndex...].dropFirst()
      let isEnd = tag.dropFirst().first == "/"
      let name = tag.drop { "</".contains($0) }.prefix { !$0.isWhitespace && $0 != "/" }.lowercased()
      if let open = skipping {
        if isEnd, name == open { skipping = nil }
      } else if !isEnd, tag.last != "/", skipped.contains(name) || tag.contains(#"class="timestamp""#) {
        skipping = name
      } else if blocks.contains(name) {
        paragraphs.append("")
      }
    }
    return paragraphs.filter { !$0.allSatisfy(\.isWhitespace) }
  }

  private static let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}"]

  /// The text with characters in place of their names and numbers.
  static func unescaped(_ text: String) -> String {
    guard text.contains("&") else { return text }
    return text.replacing(/&(#[xX]?[0-9a-fA-F]{1,8}|[a-z]{2,5});/) { match in
      let name = match.1
      guard name.first == "#" else { return names[String(name)] ?? String(match.0) }
      let digits = name.dropFirst()
      let value = digits.first?.lowercased() == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? String(match.0)
    }
  }
}
