import Foundation
import Testing

@testable import LonghandVocabulary

@Suite struct JSON5TextTests {
  private func json(_ text: String) throws -> String {
    String(decoding: try JSON5Text.json(Data(text.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    ("{a: 1, 'b': \"c\",}", #"{"a":1,"b":"c"}"#),
    ("\u{FEFF}\u{A0}[1, [],\u{2028}{}] // end", "[1,[],{}]"),
    ("/* one\n * two */ { $x_1: true, ü: null, na\\u006de: false }", #"{"$x_1":true,"ü":null,"name":false}"#),
    ("['ki\\\nmura', 'ki\\\r\nmura', \"ki\\\u{2028}mura\"]", #"["kimura","kimura","kimura"]"#),
    ("['\\v\\0\\q\\x41\\u00e9\\ud83d\\ude00\\'', \"'\\\"\"]", "[\"\\u000b\\u0000qAé😀'\",\"'\\\"\"]"),
    ("[+1, -2, .5, 5., 0x1F, -0xa, 1e3, 0]", "[1,-2,0.5,5.0,31,-10,1000.0,0]"),
    ("[Infinity, -Infinity, 1e999]", "[1e308,-1e308,1e+308]"),
    ("'text'", #""text""#),
  ])
  func json5BecomesEquivalentJSON(_ text: String, _ expected: String) throws {
    #expect(try json(text) == expected)
    // And Foundation reads it.
    _ = try JSONSerialization.jsonObject(with: Data(expected.utf8), options: .fragmentsAllowed)
  }

  @Test(arguments: [
    ("", 1, 1, "missing"), ("{a: 1", 1, 1, "not closed"), ("{a: 1 b: 2}", 1, 7, "a comma"),
    ("{\n  a: 1,\n  a: 2\n}", 3, 3, "twice"), ("{a: x}", 1, 5, "not a value"),
    ("{a: }", 1, 5, "a value is missing"),
    ("{a 1}", 1, 4, "':'"), ("{1a: 1}", 1, 2, "a key"), ("{a: 'b\n'}", 1, 5, "not closed on its line"),
    ("{} trailing", 1, 4, "unexpected text"), ("[1,,2]", 1, 4, "a value is missing"),
    ("[01]", 1, 2, "not a value"),
    ("['\\8']", 1, 4, "unknown escape"), ("['\\u12']", 1, 5, "4 hexadecimal digits"),
    ("['\\ud800']", 1, 5, "incomplete surrogate pair"), ("/* no end", 1, 1, "no end"),
    ("['é', é]", 1, 7, "not a value"),
    ("{a: 'b", 1, 5, "not closed"),
  ])
  func syntaxErrorHasLineAndColumn(_ text: String, _ line: Int, _ column: Int, _ problem: String) {
    do {
      _ = try JSON5Text.json(Data(text.utf8))
      Issue.record("it was taken: \(text)")
    } catch {
      #expect(error.line == line, "\(text): \(error)")
      #expect(error.column == column, "\(text): \(error)")
      #expect(error.problem.contains(problem), "\(text): \(error)")
    }
  }

  @Test func deepNestingIsAnError() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSON5Text.SyntaxError.self) { try JSON5Text.json(Data(deep.utf8)) }
  }

  /// What a vocabulary holds is read as Foundation reads it, where that reads JSON5 right.
  @Test func resultEqualsFoundationsJSON5() throws {
    let text = """
      {name: 'chess', // a game
       terms: [{text: "Winawer", pronunciations: ["w I n aU @r"],}, {text: 'zugzwang'}],
       phrases: [{text: "play the \\"Winawer\\" variation", count: 0x32}],}
      """
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let theirs = try decoder.decode(Vocabulary.self, from: Data(text.utf8))
    #expect(try Vocabulary(Data(text.utf8), file: "v") == theirs)
  }
}
