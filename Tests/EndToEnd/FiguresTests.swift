import Foundation
import Testing

/// A figure that stands in several pages is the same in all of them.
///
/// Behind such a figure stands a mark with its name, which readers do not see: `3.4 %<!-- =base-errors -->`.
@Suite struct FiguresTests {
  @Test(arguments: try Figure.all().sorted { $0.key < $1.key }.map(\.value))
  func isTheSameEverywhere(_ statements: [Figure]) throws {
    #expect(Set(statements.map(\.value)).count == 1, "\(statements)")
    #expect(statements.count > 1, "marked only once: \(statements)")
  }

  /// Each figure of these pages also stands in another one.
  @Test(arguments: ["README.md", "accuracy.md"]) func hasAMark(_ page: String) throws {
    let file = try #require(try Documents.files().first { $0.lastPathComponent == page })
    for (number, line) in try MarkdownLink.lines(of: file) {
      for figure in line.matches(of: /(\d[\d,]*( %| [MG]B| ms)|\d+\.\d+ s\b)(?!\**<!-- =)/) {
        #expect(figure.1 == "95 %", "\(page):\(number): \(figure.1) has no mark")
      }
    }
  }

  @Test func eachMarkFollowsAFigure() throws {
    let marks = try Documents.files().map { file in
      try MarkdownLink.lines(of: file).reduce(0) { $0 + $1.line.matches(of: /<!-- =[a-z]/).count }
    }
    #expect(try Figure.all().values.joined().count == marks.reduce(0, +))
  }
}

/// A figure with its mark, in one line of a page.
struct Figure: CustomStringConvertible {
  var page: String
  var line: Int
  var value: String

  var description: String { "\(page):\(line): \(value)" }

  /// The statements of each name.
  static func all() throws -> [String: [Figure]] {
    var figures: [String: [Figure]] = [:]
    let pattern = /(\d[\d.,]*( of \d[\d.,]*)?( (%|MB|GB|ms|s|words))?)\**<!-- =([a-z0-9-]+) -->/
    for file in try Documents.files() {
      for (number, line) in try MarkdownLink.lines(of: file) {
        for match in line.matches(of: pattern) {
          figures[String(match.5), default: []].append(
            Figure(page: file.lastPathComponent, line: number, value: String(match.1)))
        }
      }
    }
    return figures
  }
}
