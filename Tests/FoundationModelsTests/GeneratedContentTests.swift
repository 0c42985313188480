import Foundation
import ScriptedSpeech
import Testing

@testable import FoundationModels

@Suite struct GeneratedContentTests {
  private static func text(_ random: inout SeededGenerator) -> String {
    let characters =
      Array("ab \"\\/\n\t\u{1}\u{7F}é😀𝄞{}[]:,0") + (["\u{2028}", "e\u{301}", "\r\n"] as [Character])
    let chosen = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      characters[Int.random(in: 0..<characters.count, using: &random)]
    }
    return String(chosen)
  }

  private static func content(_ random: inout SeededGenerator, depth: Int = 0) -> GeneratedContent {
    switch Int.random(in: 0..<(depth < 4 ? 8 : 5), using: &random) {
    case 0: return GeneratedContent(kind: .null)
    case 1: return Bool.random(using: &random).generatedContent
    case 2: return Int.random(in: -1_000_000...1_000_000, using: &random).generatedContent
    case 3: return Double(bitPattern: random.next() & 0xBFFF_FFFF_FFFF_FFFF).generatedContent
    case 4: return text(&random).generatedContent
    case 5:
      let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in content(&random, depth: depth + 1)
      }
      return GeneratedContent(kind: .array(elements))
    default:
      let properties: [(String, any ConvertibleToGeneratedContent)] =
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          (text(&random), content(&random, depth: depth + 1))
        }
      return GeneratedContent(properties: properties) { _, last in last }
    }
  }

  @Test(arguments: 0..<300)
  func writtenJSONIsReadBackAlsoByFoundation(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let content = Self.content(&random)
    let again = try GeneratedContent(json: content.jsonString)
    #expect(again == content)
    #expect(again.isComplete)
    let bytes = Data(content.jsonString.utf8)
    let foundation = try JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)
    let theirs = try JSONSerialization.data(withJSONObject: [foundation])
    let ours = try GeneratedContent(json: String(decoding: theirs, as: UTF8.self))
    // Foundation uses another order, and joins keys that Unicode considers equal.
    if case .array(let elements) = ours.kind { #expect(elements.count == 1) } else { Issue.record("no list") }
  }

  @Test(arguments: 0..<60)
  func everyPrefixIsReadableAndNeverShrinks(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &* 77)
    let content = GeneratedContent(kind: .array([Self.content(&random), Self.content(&random)]))
    let text = content.jsonString
    var size = 0
    for end in text.unicodeScalars.indices.dropFirst() {
      let part = try GeneratedContent(json: String(text.unicodeScalars[..<end]))
      #expect(!part.isComplete)
      let its = Self.size(part)
      #expect(its >= size)
      size = its
    }
    #expect(Self.size(content) >= size)
  }

  private static func size(_ content: GeneratedContent) -> Int {
    switch content.kind {
    case .array(let elements): 1 + elements.reduce(0) { $0 + size($1) }
    case .structure(let properties, _): 1 + properties.values.reduce(0) { $0 + size($1) }
    case .string(let text): 1 + text.unicodeScalars.count
    default: 1
    }
  }

  @Test(
    arguments: [
      "", " ", "nul", "nulle", "{]", "[1,]", "{1: 2}", #"{"a" 1}"#, #""\x""#, "01", "1.", ".5", "+1", "-",
      "1e999",
      "[1 2]", "[1]]", "{} {}", "'a'", "\"a\nb\"", "[tru]", "NaN", #""\u12g4""#, "```json\n{}\n```",
      String(repeating: "[", count: 200),
    ])
  func invalidJSONIsRefused(text: String) {
    #expect(throws: LanguageModelSession.GenerationError.self) { try GeneratedContent(json: text) }
  }

  @Test func unfinishedValuesAreLeftOut() throws {
    #expect(try GeneratedContent(json: "[1, 2").jsonString == "[1]")
    #expect(try GeneratedContent(json: "[true, fal").jsonString == "[true]")
    #expect(try GeneratedContent(json: #"{"a": 1, "b": "#).jsonString == #"{"a": 1}"#)
    #expect(try GeneratedContent(json: #"{"a": 1, "b"#).jsonString == #"{"a": 1}"#)
    #expect(try GeneratedContent(json: #"["a\u00e"#).jsonString == #"["a"]"#)
    #expect(try GeneratedContent(json: #"["\ud83d"#).jsonString == #"[""]"#)
    #expect(try GeneratedContent(json: #"["\ud83d\ude00"]"#).jsonString == #"["😀"]"#)
    #expect(try GeneratedContent(json: #"["\ud83d!"]"#).jsonString == "[\"\u{FFFD}!\"]")
    #expect(try GeneratedContent(json: "12").isComplete)
    #expect(try !GeneratedContent(json: #"{"a": [1], "b": {"#).isComplete)
  }

  @Test func valuesAreConvertedBothWays() throws {
    let content = GeneratedContent(properties: ["a": 1, "b": ["x", "y"], "c": true, "a": 2])
    #expect(content.jsonString == #"{"a": 2, "b": ["x", "y"], "c": true}"#)
    #expect(try content.value(Int.self, forProperty: "a") == 2)
    #expect(try content.value([String].self, forProperty: "b") == ["x", "y"])
    #expect(try content.value(Int?.self, forProperty: "d") == nil)
    #expect(throws: LanguageModelSession.GenerationError.self) {
      try content.value(Int.self, forProperty: "d")
    }
    #expect(throws: LanguageModelSession.GenerationError.self) {
      try content.value(Int.self, forProperty: "c")
    }
    let elements = GeneratedContent(elements: [1, "a"] as [any ConvertibleToGeneratedContent])
    #expect(elements.jsonString == #"[1, "a"]"#)
    #expect(try Decimal(GeneratedContent(json: "0.1")) == Decimal(string: "0.1"))
    #expect(Decimal(1.25).generatedContent.jsonString == "1.25")
    #expect(try Float(GeneratedContent(json: "0.5")) == 0.5)
    #expect(Double.infinity.generatedContent.jsonString == "null")
    #expect(("a" as String?).generatedContent.kind == .string("a"))
    #expect((nil as Int?).generatedContent.kind == .null)
    let id = GenerationID()
    #expect(GeneratedContent("a", id: id).id == id)
  }
}
