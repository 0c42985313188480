import Foundation
import Longhand
import Testing

@Suite struct VocabularyTests {
  private func read(_ text: String) throws -> Vocabulary { try Vocabulary(Data(text.utf8), file: "v.json5") }

  @Test func allKeysAreRead() throws {
    let vocabulary = try read(
      """
      {
        name: "chess", locale: "en-US",
        // Words and names.
        terms: [{text: "Winawer", pronunciations: ["w I n aU @r"]}, {text: 'zugzwang'},],
        phrases: [{text: "play the Winawer variation", count: 50}, {text: "resign"}],
        templates: [{text: "<piece> to <file> <rank>", count: 10000}],
        classes: {piece: ["pawn", "rook"], file: ["a", "b"], rank: ["one", "two"]},
        corrections: [{heard: "when our variation", text: "Winawer variation"}],
        entities: ["Winawer Variation"],
      }
      """)
    #expect(vocabulary.name == "chess")
    #expect(vocabulary.locale == "en-US")
    #expect(
      vocabulary.terms == [.init(text: "Winawer", pronunciations: ["w I n aU @r"]), .init(text: "zugzwang")])
    #expect(
      vocabulary.phrases == [.init(text: "play the Winawer variation", count: 50), .init(text: "resign")])
    #expect(vocabulary.templates == [.init(text: "<piece> to <file> <rank>", count: 10_000)])
    #expect(vocabulary.classes["file"] == ["a", "b"])
    #expect(vocabulary.corrections == [.init(recognized: "when our variation", text: "Winawer variation")])
    #expect(vocabulary.entities == ["Winawer Variation"])
    #expect(try read("{name: 'x'}") == Vocabulary(name: "x"))
  }

  @Test(arguments: [
    ("{}", "name: it is missing"),
    ("{name: ' '}", "name: it must not be empty"),
    ("{name: 'x', terms: [{text: 'a'}, {texts: 'b'}]}", "terms[1].texts: unknown key"),
    ("{name: 'x', terms: [{}]}", "terms[0].text: it is missing"),
    ("{name: 'x', terms: {}}", "terms: it has the wrong type"),
    ("{name: 'x', phrases: [{text: 'a', count: 0}]}", "phrases[0].count: it is 0"),
    ("{name: 'x', templates: [{text: '', count: 1}]}", "templates[0].text: it must not be empty"),
    ("{name: 'x', classes: {a: 'b'}}", "classes.a: it has the wrong type"),
    ("{name: 'x', colour: 1}", "colour: unknown key"),
    ("{name: 'x', phrases: [{text: 'a', count: 1.5}]}", "phrases[0].count: it is 1.5"),
    ("{name: 'x', phrases: [{text: 'a', count: Infinity}]}", "phrases[0].count: it is "),
    ("{name: 'x', phrases: [{text: 'a', count: 99999999999999999999}]}", "phrases[0].count: it is "),
    ("{name: 'x',\n terms: {text 'b'}}", "line 2, column 15: it is not JSON5: a ':' is missing"),
    ("{name: 'x', name: 'y'}", "line 1, column 13: it is not JSON5: the key 'name' is there twice"),
    ("{name: 'x'", "line 1, column 1: it is not JSON5"), ("", "line 1, column 1: it is not JSON5"),
    ("[]", "it has the wrong type"),
  ])
  func errorHasLocationAndProblem(_ text: String, _ message: String) {
    #expect {
      try read(text)
    } throws: { error in
      "\(error)".hasPrefix("v.json5: \(message)")
    }
  }

  @Test func invalidUTF8AndDeepNestingAreErrors() {
    #expect(throws: VocabularyError.self) { try Vocabulary(Data([0x7B, 0xFF, 0x7D]), file: "v") }
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: VocabularyError.self) { try read("{name: 'x', terms: \(deep)") }
  }
}
