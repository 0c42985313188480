import Testing

@testable import FoundationModels

@Suite struct SchemaTests {
  private static func refusal(
    _ root: DynamicGenerationSchema, _ dependencies: [DynamicGenerationSchema] = []
  ) -> String {
    do {
      return try GenerationSchema(root: root, dependencies: dependencies).debugDescription
    } catch let error as GenerationSchema.SchemaError {
      #expect(!(error.errorDescription ?? "").isEmpty)
      #expect(!(error.recoverySuggestion ?? "").isEmpty)
      return "\(error)".prefix { $0 != "(" }.description
    } catch {
      return "\(error)"
    }
  }

  @Test func dynamicSchemaIsWrittenAndValidated() throws {
    let move = DynamicGenerationSchema(
      name: "Move",
      properties: [
        .init(name: "square", description: "Where", schema: .init(name: "Square", anyOf: ["e4", "d4"])),
        .init(name: "replies", schema: .init(arrayOf: .init(referenceTo: "Move"), maximumElements: 2)),
        .init(name: "count", schema: .init(type: Int.self, guides: [.minimum(1)]), isOptional: true),
        .init(name: "nothing", schema: .null, isOptional: true),
        .init(name: "player", schema: .init(referenceTo: "Player")),
      ])
    let player = DynamicGenerationSchema(type: Player.self)
    let schema = try GenerationSchema(
      root: move,
      dependencies: [.init(name: "Player", anyOf: [player, .init(name: "Nobody", anyOf: ["nobody"])])])
    let document = schema.document()
    #expect(document["properties"]?["replies"]?["items"]?.jsonString == ##"{"$ref": "#/$defs/Move"}"##)
    #expect(document["$defs"]?["Square"]?["enum"]?.jsonString == #"["e4", "d4"]"#)
    #expect(document["required"]?.jsonString == #"["square", "replies", "player"]"#)
    try schema.validate(
      GeneratedContent(
        json: #"{"square": "e4", "replies": [{"square": "d4", "replies": [], "player": "nobody"}], "#
          + #""player": {"name": "Ada", "rating": 1}}"#))
    #expect(throws: LanguageModelSession.GenerationError.self) {
      try schema.validate(GeneratedContent(json: #"{"square": "e4", "replies": [], "player": "somebody"}"#))
    }
  }

  @Test func invalidDynamicSchemasAreRefused() {
    let text = DynamicGenerationSchema(type: String.self)
    let named = DynamicGenerationSchema(name: "A", anyOf: ["a"])
    #expect(Self.refusal(named, [named]) == "duplicateType")
    #expect(
      Self.refusal(
        .init(name: "B", properties: [.init(name: "a", schema: text), .init(name: "a", schema: text)]))
        == "duplicateProperty")
    #expect(Self.refusal(.init(name: "C", anyOf: [String]())) == "emptyTypeChoices")
    #expect(Self.refusal(.init(name: "C", anyOf: [DynamicGenerationSchema]())) == "emptyTypeChoices")
    #expect(Self.refusal(.init(arrayOf: .init(referenceTo: "D"))) == "undefinedReferences")
    #expect(Self.refusal(named).hasPrefix("{"))
  }

  @Test func guideWithoutTextFormIsUnsupported() {
    let guided = GenerationSchema(
      type: String.self,
      properties: [.init(name: "a", type: String.self, guides: [GenerationGuide(rule: .pattern(nil))])])
    #expect(guided.unsupportedGuide != nil)
    #expect(Game.generationSchema.unsupportedGuide == nil)
  }
}
