import Foundation
import Testing

/// A fenced block of a Markdown file.
struct MarkdownBlock: Sendable, CustomTestStringConvertible {
  /// The file's name and the line of the fence.
  var place: String
  var language: String
  var text: String
  /// The line before it, such as `<!-- tested -->`.
  var before: String

  /// Whether the line before it is `<!-- tested -->`.
  var isTested: Bool { before == "<!-- tested -->" }

  var testDescription: String { place }

  /// The blocks of a file, in order.
  static func blocks(of file: URL) throws -> [MarkdownBlock] {
    var blocks: [MarkdownBlock] = []
    var open: MarkdownBlock?
    var before = ""
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          open = nil
        } else {
          open = MarkdownBlock(
            place: "\(file.lastPathComponent):\(index + 1)", language: String(line.dropFirst(3)), text: "",
            before: before)
        }
      } else if open != nil {
        open?.text += line + "\n"
      }
      if !line.isEmpty { before = line }
    }
    return blocks
  }
}
