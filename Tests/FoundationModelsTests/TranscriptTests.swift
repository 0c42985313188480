import Foundation
import Testing

@testable import FoundationModels

@Suite struct TranscriptTests {
  private static let whole = Transcript(entries: [
    .instructions(
      .init(
        segments: [.text(.init(content: "Be brief."))],
        toolDefinitions: [.init(name: "find", description: "Finds", parameters: Election.generationSchema)])),
    .prompt(
      .init(
        segments: [.text(.init(content: "Who?")), .text(.init(content: "\"Where\"?\n"))],
        options: .init(sampling: .random(top: 4, seed: .max), temperature: 0.5, maximumResponseTokens: 9),
        responseFormat: .init(type: Election.self))),
    .prompt(.init(segments: [], options: .init(sampling: .greedy))),
    .prompt(.init(segments: [], options: .init(sampling: .random(probabilityThreshold: 0.25)))),
    .toolCalls(
      .init([.init(id: "1", toolName: "find", arguments: GeneratedContent(properties: ["z": 1, "a": 2]))])),
    .toolOutput(.init(id: "1", toolName: "find", segments: [.text(.init(content: "nothing"))])),
    .response(
      .init(
        assetIDs: ["tiny"],
        segments: [.structure(.init(source: "Election", content: Election(index: 1).generatedContent))])),
  ])

  @Test func encodedTranscriptIsDecodedUnchanged() throws {
    let data = try JSONEncoder().encode(Self.whole)
    #expect(try JSONDecoder().decode(Transcript.self, from: data) == Self.whole)
    var other = Self.whole
    other[6] = .response(.init(assetIDs: [], segments: []))
    #expect(try JSONDecoder().decode(Transcript.self, from: JSONEncoder().encode(other)) != Self.whole)
    let later = String(decoding: data, as: UTF8.self).replacing(#""version":1"#, with: #""version":2"#)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Transcript.self, from: Data(later.utf8))
    }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Transcript.self, from: Data("{}".utf8)) }
  }

  @Test func entriesDescribeTheirRole() {
    #expect(Self.whole.count == 7)
    #expect(Self.whole.last?.description == #"(Response) {"index": 1}"#)
    #expect(Self.whole.first?.description == "(Instructions) Be brief. [find]")
    #expect(Self.whole[4].description == #"(Tool calls) find({"z": 1, "a": 2})"#)
    #expect(Set(Self.whole.map(\.id)).count == 7)
  }

  @Test func buildersJoinComponentsByLine() {
    let isPolite = true
    let prompt = Prompt {
      "One"
      if isPolite { "please" } else { "now" }
      for number in 1...2 { "\(number)" }
      if !isPolite { "never" }
      Election(index: 2)
      ["a", "b"]
      Prompt("last")
    }
    #expect(prompt.text == "One\nplease\n1\n2\n{\"index\": 2}\na\nb\nlast")
    let instructions = Instructions {
      "Be brief."
      Piece.knight
    }
    #expect(instructions.text == "Be brief.\n\"horse\"")
    #expect(Prompt("x").promptRepresentation.text == "x")
  }
}
