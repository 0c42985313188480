import Foundation

/// A link of a Markdown file to a file of the repository or to a heading.
struct MarkdownLink {
  /// The file's name and the line of the link.
  var line: String
  /// The path relative to the folder of the file; empty for a heading of the same file.
  var path: String
  /// The heading, as it is written in an address; nil for a whole file.
  var anchor: String?

  /// The links of a file that lead to no other host, outside of fenced blocks.
  static func relativeLinks(of file: URL) throws -> [MarkdownLink] {
    try lines(of: file).flatMap { number, line in
      line.matches(of: /\]\(([^)\s]+)\)/).map(\.1).filter { !$0.contains(":") }.map { target in
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        return MarkdownLink(
          line: "\(file.lastPathComponent):\(number)", path: String(parts[0]),
          anchor: parts.count > 1 ? String(parts[1]) : nil)
      }
    }
  }

  /// The addresses of the headings of a file: lower case, spaces as hyphens, no other marks.
  static func anchors(of file: URL) throws -> Set<String> {
    Set(
      try lines(of: file).filter { $0.line.hasPrefix("#") }.map { heading in
        heading.line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
          .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
          .replacingOccurrences(of: " ", with: "-")
      })
  }

  /// The lines outside of fenced blocks, with their numbers.
  static func lines(of file: URL) throws -> [(number: Int, line: String)] {
    var isInBlock = false
    var found: [(Int, String)] = []
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") { isInBlock.toggle() } else if !isInBlock { found.append((index + 1, line)) }
    }
    return found
  }
}
