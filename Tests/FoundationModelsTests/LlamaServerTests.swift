import Foundation
import TestSupport
import Testing

@testable import FoundationModels

/// Requests to a real server. Its model has random weights, so only the server's grammar makes answers follow a schema.
@Suite("llama.cpp's server", .tagged(.soak))
struct LlamaServerTests {
  @Generable
  struct Answer: Equatable {
    @Guide(.range(0...3)) var index: Int
    @Guide(.anyOf(["high", "low"])) var confidence: String
    @Guide(.maximumCount(3)) var pieces: [Piece]
    var isSure: Bool?
  }

  @Test func answersWithTextTypesAndStreams() async throws {
    let server = try await LlamaServer()
    try await server.waitUntilReady()
    #expect(server.model.isAvailable)
    let session = LanguageModelSession(model: server.model, instructions: "Elect.")
    let text = try await session.respond(to: "Say something", options: .init(maximumResponseTokens: 8))
      .content
    #expect(!text.isEmpty)
    for seed in 0..<8 as Range<UInt64> {
      let session = LanguageModelSession(model: server.model)
      let options = GenerationOptions(sampling: .random(top: 40, seed: seed), temperature: 1)
      let response = try await session.respond(to: "Which?", generating: Answer.self, options: options)
      #expect((0...3).contains(response.content.index))
      #expect(session.transcript.count == 2)
      var last: Answer.PartiallyGenerated?
      let stream = session.streamResponse(to: "Again", generating: Answer.self, options: options)
      for try await snapshot in stream { last = snapshot.content }
      let whole = try await stream.collect().content
      #expect(last?.index == whole.index)
      #expect(last?.pieces == whole.pieces)
    }
    let long = await failure {
      try await LanguageModelSession(model: server.model).respond(to: String(repeating: "word ", count: 4000))
        .content
    }
    #expect(long == "exceededContextWindowSize")
  }

  @Test func abandonedStreamLeavesTheServerUsable() async throws {
    let server = try await LlamaServer()
    try await server.waitUntilReady()
    let model = server.model
    let task = Task {
      await failure {
        for try await _ in LanguageModelSession(model: model).streamResponse(to: "Talk") { return "received" }
        return "ended"
      }
    }
    let received = await task.value
    #expect(received == "answered: received")
    let next = try await LanguageModelSession(model: model).respond(
      to: "Which?", generating: Answer.self, options: .init(sampling: .greedy))
    #expect((0...3).contains(next.content.index))
  }
}
