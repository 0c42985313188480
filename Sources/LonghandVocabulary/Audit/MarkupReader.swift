/// Reads the text of HTML and XML, however damaged: tags part it, and are left out.
struct MarkupReader {
  /// The elements whose text is no text of the document.
  let skipped: Set<String>
  /// The elements that begin and end paragraphs.
  let blocks: Set<String>
  /// What only Longhand's own documents have.
  let ownMark: String
  /// How tags begin in these documents after which there is no text of the recording, up to the end of an element.
  let ownRemarks: [(tag: String, end: String)]

  /// A page.
  static let html = MarkupReader(
    skipped: ["script", "style", "head", "title", "template"],
    blocks: [
      "p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "blockquote",
      "td",
    ], ownMark: #"<p class="facts">"#,
    ownRemarks: [("<h1", "h1"), (#"<p class="facts""#, "p"), (#"<p class="remark""#, "p")])
  /// The main part of a Word document.
  static let word = MarkupReader(
    skipped: ["w:instrtext", "w:deltext"], blocks: ["w:p", "w:br", "w:tab"],
    ownMark: #"<w:pStyle w:val="Transcript"/>"#,
    ownRemarks: [
      (#"<w:pStyle w:val="Title""#, "w:p"), (#"<w:pStyle w:val="Subtitle""#, "w:p"),
      (#"<w:rStyle w:val="Remark""#, "w:r"),
    ])

  /// The texts between paragraphs' ends, without empty ones. Of a document of Longhand's own it is what was said, without the
  /// title, remarks and second texts.
  func paragraphs(in markup: String) -> [String] {
    let isOwn = markup.contains(ownMark)
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
      } else if isOwn, let remark = ownRemarks.first(where: { tag.hasPrefix($0.tag) }) {
        skipping = remark.end
      } else if blocks.contains(name) {
        paragraphs.append("")
      }
    }
    let end = isOwn ? paragraphs.firstIndex(where: Self.beginsSecondText) : nil
    return paragraphs[..<(end ?? paragraphs.count)].filter { !$0.allSatisfy(\.isWhitespace) }
  }

  /// Whether a heading names a second text, and not what was said.
  static func beginsSecondText(_ heading: String) -> Bool {
    heading.hasPrefix("Normalized by ") || heading.hasPrefix("Translated into English by ")
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
