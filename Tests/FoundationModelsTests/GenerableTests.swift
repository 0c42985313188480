import Foundation
import Testing

@testable import FoundationModels

@Generable struct Chore: Identifiable {
  let id = UUID()
  let maker: String = "tests"
  var title: String
}

@Suite struct GenerableTests {
  private static func document(_ schema: GenerationSchema) throws -> GeneratedContent {
    try GeneratedContent(json: String(decoding: JSONEncoder().encode(schema), as: UTF8.self))
  }

  @Test func schemaOfStructureContainsGuides() {
    #expect(
      Election.generationSchema.debugDescription
        == #"{"title": "Election", "type": "object", "description": "Which candidate was said", "#
        + #""properties": {"index": {"type": "integer", "minimum": 0, "maximum": 3, "description": "Its index"}, "#
        + #""reason": {"type": "string"}}, "required": ["index"], "additionalProperties": false, "#
        + #""x-order": ["index", "reason"]}"#)
    #expect(
      Election.generationSchema.document(.strict).jsonString
        == #"{"title": "Election", "type": "object", "description": "Which candidate was said", "#
        + #""properties": {"index": {"type": "integer", "minimum": 0, "maximum": 3, "description": "Its index"}, "#
        + #""reason": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "required": ["index", "reason"], "#
        + #""additionalProperties": false}"#)
  }

  @Test func nestedAndRecursiveTypesAreDefinedOnce() throws {
    let document = Game.generationSchema.document()
    let properties = try #require(document["properties"])
    #expect(
      properties["event"]?.jsonString
        == #"{"type": "string", "enum": ["open", "closed"], "description": "The event"}"#)
    #expect(
      properties["players"]?.jsonString
        == ##"{"type": "array", "items": {"$ref": "#/$defs/Player"}, "minItems": 2, "maxItems": 2, "description": "Both"}"##
    )
    #expect(properties["square"]?["pattern"]?.text == "[a-h][1-8]")
    #expect(
      Game.generationSchema.document(.strict)["properties"]?["square"]?["pattern"]?.text == "^([a-h][1-8])$")
    #expect(properties["rounds"]?["items"]?.jsonString == #"{"type": "integer", "minimum": 1, "maximum": 9}"#)
    #expect(properties["piece"]?.jsonString == ##"{"$ref": "#/$defs/Piece"}"##)
    #expect(properties["class"]?.jsonString == #"{"type": "boolean"}"#)
    #expect(properties["variations"]?["items"]?.jsonString == ##"{"$ref": "#/$defs/Game"}"##)
    #expect(properties["unrelated"] == nil)
    #expect(properties["count"] == nil)
    let definitions = try #require(document["$defs"])
    #expect(
      definitions["Piece"]?.jsonString == #"{"title": "Piece", "type": "string", "enum": ["king", "horse"]}"#)
    #expect(definitions["Game"]?["properties"] == properties)
    #expect(definitions["Player"]?["properties"]?["rating"]?["minimum"]?.number == 0)
  }

  @Test func generatedContentRoundTrips() throws {
    var game = Game.sample
    game.variations = [.sample]
    #expect(try Game(game.generatedContent) == game)
    #expect(try Game(GeneratedContent(json: game.generatedContent.jsonString)) == game)
    for piece in Piece.allCases { #expect(try Piece(piece.generatedContent) == piece) }
    #expect(Piece.knight.generatedContent.kind == .string("horse"))
    let steps: [Step] = [
      .castle, .move(from: "e2", to: "e4"), .variation(.castle, note: nil),
      .variation(.variation(.move(from: "a", to: "b"), note: nil), note: "!"),
    ]
    for step in steps {
      #expect(try Step(GeneratedContent(json: step.generatedContent.jsonString)) == step)
      try Step.generationSchema.validate(step.generatedContent)
    }
    #expect(
      steps[1].generatedContent.jsonString == #"{"case": "move", "from": "e2", "to": "e4"}"#)
  }

  @Test func labelsMayBeKeywords() throws {
    let clauses: [Clause] = [
      .from(in: "a", for: 1), .keywords(is: true, as: nil, where: "b", default: 2, let: 3),
      .mark(case: "c"), .unlabeled("d", value: "e"), .switch(content: "f", properties: "g"),
    ]
    for clause in clauses {
      #expect(try Clause(GeneratedContent(json: clause.generatedContent.jsonString)) == clause)
      try Clause.generationSchema.validate(clause.generatedContent)
    }
    #expect(clauses[0].generatedContent.jsonString == #"{"case_": "from", "in": "a", "for": 1}"#)
  }

  @Test func nilIsOmittedOrWrittenExplicitly() throws {
    #expect(Election(index: 1).generatedContent.jsonString == #"{"index": 1}"#)
    #expect(Explicit(id: 1).generatedContent.jsonString == #"{"id": 1, "note": null}"#)
    #expect(try Explicit(GeneratedContent(json: #"{"id": 1, "note": null}"#)) == Explicit(id: 1))
    #expect(try Explicit(GeneratedContent(json: #"{"id": 1}"#)) == Explicit(id: 1))
    #expect(Explicit.generationSchema.document()["required"]?.jsonString == #"["id", "note"]"#)
  }

  @Test(
    arguments: [
      #"{"reason": "no index"}"#, #"{"index": "1"}"#, #"{"index": 1.5}"#, #"{"index": null}"#, "[]", "1",
      #"{"index": 1, "reason": 2}"#,
    ])
  func contentOfAnotherFormIsRefused(json: String) throws {
    let content = try GeneratedContent(json: json)
    #expect(throws: LanguageModelSession.GenerationError.self) { try Election(content) }
    #expect(throws: LanguageModelSession.GenerationError.self) {
      try Election.generationSchema.validate(content)
    }
  }

  @Test func unknownCasesAreRefused() throws {
    #expect(throws: LanguageModelSession.GenerationError.self) {
      try Piece(GeneratedContent(json: #""queen""#))
    }
    let content = try GeneratedContent(json: #"{"case": "move", "from": "e2"}"#)
    #expect(throws: LanguageModelSession.GenerationError.self) { try Step(content) }
    #expect(throws: LanguageModelSession.GenerationError.self) { try Step.generationSchema.validate(content) }
  }

  @Test func validationRefusesValuesOutsideGuides() throws {
    let good = Game.sample.generatedContent
    try Game.generationSchema.validate(good)
    let faults: [(String, String)] = [
      (#""open""#, #""ajar""#), (#""e4""#, #""e9""#), (#""e4""#, #""ee4""#), ("[1, 9]", "[1, 10]"),
      ("[1, 9]", "[1, 2, 3, 4]"), ("1500", "-1"), (#"{"name": "Ada", "rating": 2000.5}, "#, ""),
      (#""horse""#, #""knight""#),
    ]
    for (text, fault) in faults {
      let json = good.jsonString.replacing(text, with: fault)
      #expect(json != good.jsonString)
      let content = try GeneratedContent(json: json)
      #expect(throws: LanguageModelSession.GenerationError.self, "\(fault)") {
        try Game.generationSchema.validate(content)
      }
    }
  }

  @Test func partialFormContainsWhatIsComplete() throws {
    let text = #"{"event": "open", "players": [{"name": "Ada", "rating": 1.5}, {"name": "B"#
    let game = try Game.PartiallyGenerated(GeneratedContent(json: text))
    #expect(game.event == "open")
    #expect(game.players?.map(\.name) == ["Ada", "B"])
    #expect(game.players?.map(\.rating) == [1.5, nil])
    #expect(game.square == nil)
    #expect(game.class == nil)
    // A choice is there whole or not at all.
    #expect(try Game.PartiallyGenerated(GeneratedContent(json: #"{"piece": "hor"#)).piece == nil)
    #expect(try Game.PartiallyGenerated(GeneratedContent(json: #"{"piece": "horse""#)).piece == .knight)
    #expect(try Explicit.PartiallyGenerated(GeneratedContent(json: #"{"id": 4}"#)).id == 4)
    let whole = Game.sample.asPartiallyGenerated()
    #expect(whole.players?.count == 2)
    #expect(whole.class == true)
    #expect(whole.id != Game.sample.asPartiallyGenerated().id)
  }

  /// They have their value: no model generates them.
  @Test func constantsWithAValueAreNotGenerated() throws {
    let schema = try #require(String(data: JSONEncoder().encode(Chore.generationSchema), encoding: .utf8))
    #expect(schema.contains("title"))
    #expect(!schema.contains("maker"))
    #expect(!schema.contains("\"id\""))
    let task = try Chore(GeneratedContent(json: #"{"title": "sweep", "maker": "a model"}"#))
    #expect(task.title == "sweep")
    #expect(task.maker == "tests")
    #expect(!task.generatedContent.jsonString.contains("maker"))
    let partial = try Chore.PartiallyGenerated(GeneratedContent(json: "{}"))
    #expect(partial.title == nil)
  }

  @Test func identityIsNotPartOfTheSchema() throws {
    typealias Term = SearchSuggestions.SearchTerm
    #expect(
      Term.generationSchema.document()["properties"]?.jsonString
        == #"{"searchTerm": {"type": "string", "description": "A few words"}}"#)
    #expect(Term.generationSchema.document()["required"]?.jsonString == #"["searchTerm"]"#)
    let json = #"{"searchTerm": "sunsets"}"#
    let (id, term) = (GenerationID(), try Term(GeneratedContent(json: json)))
    #expect(term.generatedContent.jsonString == json)
    #expect(term.generatedContent.id == term.id)
    #expect(try Term(term.generatedContent) == term)
    #expect(try Term(GeneratedContent(json: json)).id != term.id)
    #expect(term.asPartiallyGenerated().id == term.id)
    var content = try GeneratedContent(json: #"{"search"#)
    content.id = id
    let partial = try Term.PartiallyGenerated(content)
    let identifiable: any Identifiable<GenerationID> = partial
    #expect(identifiable.id == id)
    #expect(partial.searchTerm == nil)
    let marked = Marked(mark: id)
    #expect(marked.generatedContent.jsonString == "{}")
    #expect(marked.asPartiallyGenerated().mark == id)
    #expect(try Marked(marked.generatedContent) == marked)
  }

  @Test func partialFormIsEquatableIfTheTypeIs() throws {
    func isEqual<Value: Equatable>(_ left: Value, _ right: Value) -> Bool { left == right }
    let terms = try SearchSuggestions(
      GeneratedContent(json: #"{"searchTerms": [{"searchTerm": "a"}, {"searchTerm": "b"}]}"#))
    var content = terms.generatedContent
    content.id = GenerationID()
    let whole = try SearchSuggestions.PartiallyGenerated(content)
    var changed = whole
    #expect(isEqual(changed, whole))
    changed.searchTerms?[1].searchTerm = nil
    #expect(!isEqual(changed, whole))
  }

  @Test func encodedSchemaIsDecodedUnchanged() throws {
    for schema in [
      Game.generationSchema, Election.generationSchema, Step.generationSchema, Explicit.generationSchema,
    ] {
      let again = try JSONDecoder().decode(GenerationSchema.self, from: JSONEncoder().encode(schema))
      let documents = try [schema, again].map {
        try JSONSerialization.jsonObject(with: Data($0.document().jsonString.utf8)) as? NSDictionary
      }
      #expect(documents[0] == documents[1])
    }
    let game = try JSONDecoder().decode(
      GenerationSchema.self, from: JSONEncoder().encode(Game.generationSchema))
    try game.validate(Game.sample.generatedContent)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(GenerationSchema.self, from: Data(#"{"type": "tuple"}"#.utf8))
    }
  }
}
