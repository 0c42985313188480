import Foundation
import LonghandTranscripts
import Testing

@testable import LonghandVocabulary

/// Vocabularies as plain lists of terms and as tables.
@Suite struct VocabularyListTests {
  private func vocabulary(_ text: String, _ file: String) throws -> Vocabulary {
    try Vocabulary(Data(text.utf8), file: file)
  }

  /// The contents of a file, its name; its terms with `=` and their pronunciations, and its corrections with `>`.
  @Test(arguments: [
    (
      "Winawer\n\n# openings\nKing's Indian\r\n  Grünfeld \n", "chess.txt",
      ["Winawer", "King's Indian", "Grünfeld"]
    ),
    ("\u{FEFF}Winawer", "chess.TXT", ["Winawer"]), ("Winawer\nBenoni", "/dev/fd/9", ["Winawer", "Benoni"]),
    ("{name: 'a', terms: [{text: 'b'}]}", "a", ["b"]),
    ("// c\n{name: 'a', terms: [{text: 'b'}]}", "a.json5", ["b"]),
    (
      "term,sounds like,replaces\nWinawer,,when our|vin hour\n", "a.csv",
      ["Winawer", "when our>Winawer", "vin hour>Winawer"]
    ),
    ("Winawer,v i n aU @r\n", "a.csv", ["Winawer=v i n aU @r"]),
    ("Winawer;vinn our;\nBenoni;;\n", "a.csv", ["Winawer", "Benoni", "vinn our>Winawer"]),
    ("replaces\tterm\nnight\tknight", "a.csv", ["knight", "night>knight"]),
    (
      "term,replaces\n\"Hart, Anna\",\"heart \"\"anna\"\"\"\n", "a.csv",
      ["Hart, Anna", "heart \"anna\">Hart, Anna"]
    ),
    ("\"Two\nLines\",xx yy\r\n#no\r\n,,\r\nb", "a.csv", ["Two\nLines", "b", "xx yy>Two\nLines"]),
  ])
  func listIsRead(_ text: String, _ file: String, _ expected: [String]) throws {
    let read = try vocabulary(text, file)
    let terms = read.terms.map { ([$0.text] + $0.pronunciations).joined(separator: "=") }
    #expect(terms + read.corrections.map { "\($0.recognized)>\($0.text)" } == expected)
  }

  @Test(arguments: [
    ("", "a.txt", "it has no terms"), ("# only\n", "a.txt", "it has no terms"),
    ("term\n", "a.csv", "it has no terms"),
    ("a\n,x\n", "a.csv", "line 2: the row has no term"),
    ("a|b,x\n", "a.csv", "line 1: the row has several terms"),
    ("a\n\"b", "a.csv", "line 2: a quotation mark is not closed"),
    ("Winawer\n", "a.json5", "it is not JSON5"),
  ])
  func mistakeIsNamed(_ text: String, _ file: String, _ problem: String) {
    let error = #expect(throws: VocabularyError.self) { try vocabulary(text, file) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  /// What no row has stays.
  @Test func tableIsReadAndWritten() throws {
    var read = try vocabulary(
      """
      {name: "chess", terms: [{text: "Winawer", pronunciations: ["w I n aU @r"]}, {text: "Old"}], entities: ["E"],
       phrases: [{text: "p"}], corrections: [{heard: "when our", text: "Winawer"}, {heard: "x", text: "No term"},
       {heard: "y", text: "Old"}]}
      """, "a.json5")
    var rows = read.rows
    #expect(rows[0] == VocabularyRow(term: "Winawer", soundsLike: ["w I n aU @r"], replaces: ["when our"]))
    rows[1] = VocabularyRow(term: "Queen's Gambit", soundsLike: ["queens gamble"], replaces: ["queens gamut"])
    read.rows = rows
    #expect(read.terms.map(\.text) == ["Winawer", "Queen's Gambit"])
    #expect(
      read.corrections.map { "\($0.recognized)>\($0.text)" } == [
        "x>No term", "when our>Winawer", "queens gamble>Queen's Gambit", "queens gamut>Queen's Gambit",
      ])
    #expect(read.rows[0] == rows[0])
    #expect(read.entities == ["E"] && read.phrases.count == 1)
  }

  @Test func termsBeyondTheLimitOfRecognizersAreReported() throws {
    let many = (0...1000).map { "Term\($0)x" }.joined(separator: "\n")
    let findings = VocabularyCheck(try vocabulary(many, "a.txt")).findings.map(\.problem)
    #expect(findings.contains("there are 1001, and \(VocabularyUse.rule)"))
  }

  /// Whoever asks how many terms are used gets the same answer: before, from the page and from an error.
  @Test func ruleIsTheSameInAllPlaces() throws {
    var many = Vocabulary(name: "x")
    many.terms = (0...1000).map { Vocabulary.Term(text: "Term\($0)x") }
    let uses = VocabularyUse.all(of: many)
    for use in uses where use.by != "--normalize" {
      let isPhrases = use.note?.contains(VocabularyUse.rule) == true
      #expect(isPhrases == (use.by == "sherpa-onnx"), "\(use)")
      #expect(use.parts == ["terms"], "\(use)")
    }
    #expect(uses.first { $0.by == "whisper" }?.note == "in American English also by pocketsphinx")
    let error = TranscriptionError.tooManyPhrases(1001, limit: VocabularyUse.maxPhrases)
    #expect("\(error)".contains("there are 1001 phrases, and \(VocabularyUse.rule). "))
    let page = try String(
      contentsOf: URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/vocabulary.md")
        .standardizedFileURL, encoding: .utf8)
    #expect(page.replacingOccurrences(of: "`", with: "").contains(VocabularyUse.rule))
  }
}
