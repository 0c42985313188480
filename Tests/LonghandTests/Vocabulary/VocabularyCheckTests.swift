import Foundation
import Longhand
import TestSupport
import Testing

/// Every kind of finding, and beside each something like it that is right.
@Suite struct VocabularyCheckTests {
  private func findings(_ json: String) throws -> [String] {
    let vocabulary = try Vocabulary(Data("{name: \"x\", \(json)}".utf8), file: "x.json5")
    return VocabularyCheck(vocabulary).findings.map {
      "\($0.severity.rawValue) \($0.location): \($0.problem)"
    }
  }

  @Test(arguments: [
    (
      #"terms: [{text: "Winawer", pronunciations: ["w I n aU Q9"]}]"#,
      "mistake terms[0].pronunciations[0]: phoneme 5"
    ),
    (
      #"terms: [{text: "Winawer", pronunciations: [" "]}]"#, "mistake terms[0].pronunciations[0]: it is empty"
    ),
    (#"terms: [{text: "Albin gambit", pronunciations: ["A l b I n"]}]"#, "is not one word"),
    (
      #"terms: [{text: "zugzwang"}, {text: "Zugzwang"}]"#,
      "warning terms[1].text: \"Zugzwang\" is there twice"
    ),
    (#"terms: [{text: "--"}]"#, "has no word that can be spoken"),
    (#"terms: [{text: "zugzwang"}, {text: "rock"}]"#, "warning terms[1].text: \"rock\" is a common word"),
    (#"terms: [{text: "knight"}]"#, "\"knight\" sounds much like \"night\""),
    (#"terms: [{text: "Benko"}, {text: "Benco"}]"#, "\"Benco\" sounds much like \"Benko\" (terms[0].text)"),
    (#"corrections: [{heard: "when our", text: "Winawer"}]"#, "is a common phrase"),
    (#"corrections: [{heard: "x ray", text: "x ray"}]"#, "it changes nothing"),
    (#"corrections: [{heard: "...", text: "x ray"}]"#, "it has no word"),
    (
      #"corrections: [{heard: "when ever our", text: "a b"}, {heard: "When ever our", text: "c"}]"#,
      "corrections[1].heard: \"When ever our\" is corrected twice (corrections[0])"
    ),
    (#"phrases: [{text: "..."}]"#, "warning phrases[0].text: \"...\" has no word"),
    (#"templates: [{text: "<a to b"}]"#, "mistake templates[0].text: a '<' or '>' has no counterpart"),
    (
      #"templates: [{text: "<a> to"}], classes: {a: ["b", ""]}"#,
      "warning classes.a[1]: \"\" has no word that can be spoken"
    ),
    (#"entities: ["The House"]"#, "is made of common words"),
    (#"entities: ["!"]"#, "has no word that can be spoken"),
    (#"templates: [{text: "<piece> to"}]"#, "mistake templates[0].text: the class \"piece\" does not exist"),
    (#"classes: {piece: ["pawn"]}"#, "warning classes.piece: no template uses it"),
    (
      #"locale: "xx", terms: [{text: "Haus", pronunciations: ["h aU s"]}]"#,
      "mistake terms[0].pronunciations: there is no pronunciation dictionary for xx"
    ),
    (
      // Symbols of the language, in two terms: the sentence is said once.
      #"locale: "de-DE", terms: [{text: "Tal"}, {text: "Haus", pronunciations: ["h aU s", "h aU z"]}, {text: "Hof", pronunciations: ["h o: f"]}]"#,
      "mistake terms[1].pronunciations: there is no pronunciation dictionary for de-DE"
    ),
  ])
  func badEntryHasOneFinding(_ json: String, _ finding: String) throws {
    let found = try findings(json)
    #expect(found.count == 1, "\(found)")
    #expect(found.allSatisfy { $0.contains(finding) }, "\(found)")
  }

  @Test func templateWithTooManyPhrasesHasFinding() throws {
    let words = (0..<101).map { "\"w\($0)\"" }.joined(separator: ", ")
    let found = try findings(#"templates: [{text: "<a> <a> <a>"}], classes: {a: [\#(words)]}"#)
    #expect(found.count == 1)
    #expect(found[0].contains("it expands to 1030301 phrases"))
  }

  @Test(arguments: [
    #"terms: [{text: "Winawer", pronunciations: ["w I n aU @r"]}, {text: "zugzwang"}]"#,
    #"terms: [{text: "Albin gambit"}]"#,
    #"corrections: [{heard: "when our variation", text: "Winawer variation"}]"#,
    #"entities: ["Winawer Variation", "Albin Counter Gambit"]"#,
    #"templates: [{text: "<piece> to <file>"}], classes: {piece: ["pawn"], file: ["a"]}"#,
    // They are common words of English only, or sound like them.
    #"locale: "de-DE", terms: [{text: "Haus"}, {text: "Hand"}], entities: ["Die Hand"]"#,
  ])
  func goodEntriesHaveNoFinding(_ json: String) throws { #expect(try findings(json) == []) }

  @Test(.tagged(.childProcess)) func schemaAndReaderAgree() throws {
    let schema = try String(
      contentsOf: Folder.package.appendingPathComponent("Schemas/vocabulary.schema.json"), encoding: .utf8)
    let valid = [
      #"{"name": "x"}"#,
      #"{"name": "x", "terms": [{"text": "a", "pronunciations": ["A"]}], "phrases": [{"text": "a", "count": 2}], "classes": {"p": ["a"]}, "templates": [{"text": "<p>"}], "corrections": [{"heard": "a", "text": "b"}], "entities": ["A"], "locale": "en-US"}"#,
    ]
    let wrong = [
      #"{"terms": []}"#, #"{"name": "x", "words": []}"#, #"{"name": "x", "terms": ["a"]}"#,
      #"{"name": "x", "phrases": [{"text": "a", "count": 0}]}"#,
      #"{"name": "x", "corrections": [{"heard": "a"}]}"#,
    ]
    // The reader and the schema agree on each.
    for document in valid { _ = try Vocabulary(Data(document.utf8), file: "x") }
    for document in wrong {
      #expect(throws: VocabularyError.self) { try Vocabulary(Data(document.utf8), file: "x") }
    }
    struct Question: Encodable {
      var schema: String
      var documents: [String]
    }
    let script = """
      import json, sys
      import jsonschema
      given = json.load(open(sys.argv[1]))
      schema = json.loads(given["schema"])
      jsonschema.Draft202012Validator.check_schema(schema)
      validator = jsonschema.Draft202012Validator(schema)
      print(json.dumps([validator.is_valid(json.loads(document)) for document in given["documents"]]))
      """
    let answers: [Bool] = try TestPython.answer(
      script, to: Question(schema: schema, documents: valid + wrong))
    #expect(answers == valid.map { _ in true } + wrong.map { _ in false })
  }

  #if os(Linux)
    /// What cannot be used is not accepted, by the compiler either, also if an earlier version has compiled it.
    @Test func pronunciationsWithoutADictionaryAreRefused() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("refused-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("a.json5")
      let text = #"{name: "a", locale: "fr-FR", terms: [{text: "Zugzwang", pronunciations: ["s u g"]}]}"#
      try Data(text.utf8).write(to: file)
      let error = await #expect(throws: VocabularyError.self) {
        try await LanguageModelFolder.compile(file, into: folder.appendingPathComponent("compiled"))
      }
      #expect(error?.location == "terms[0].pronunciations")
      #expect(error?.problem.contains("no pronunciation dictionary for fr-FR") == true)
      #expect(error?.problem.contains("remove all pronunciations") == true)
      #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("compiled").path))
    }
  #endif
}
