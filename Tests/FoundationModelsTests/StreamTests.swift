import Foundation
import TestSupport
import Testing

@testable import FoundationModels

@Suite(.tagged(.childProcess)) struct StreamTests {
  @Test func snapshotsContainTheTextSoFar() async throws {
    let server = try await ScriptedServer(
      .init(
        events: [
          ScriptedServer.Answer.delta("Good"), ScriptedServer.Answer.delta(" day"),
          ScriptedServer.Answer.finish("stop"),
        ], gate: true))
    let session = LanguageModelSession(model: server.model())
    var seen: [String] = []
    for try await snapshot in session.streamResponse(to: "Hello") {
      seen.append(snapshot.content)
      // The server sends the next part after this snapshot.
      try server.release(seen.count == 1 ? 1 : 9)
    }
    #expect(seen.first == "Good")
    #expect(Set(seen) == ["Good", "Good day"])
    #expect(seen.last == "Good day")
    #expect(session.transcript.count == 2)
  }

  @Test func partialValuesGrowWithTheSameIdentity() async throws {
    let server = try await ScriptedServer(
      .init(
        events: [
          ScriptedServer.Answer.delta(#"{"name": "Ad"#), ScriptedServer.Answer.delta(#"a", "rating": 1"#),
          ScriptedServer.Answer.delta("8}"), ScriptedServer.Answer.finish("stop"),
        ], gate: true))
    let session = LanguageModelSession(model: server.model())
    var names: [String?] = []
    var ratings: [Double?] = []
    var identities: Set<GenerationID> = []
    let stream = session.streamResponse(to: "Who?", generating: Player.self)
    for try await snapshot in stream {
      names.append(snapshot.content.name)
      ratings.append(snapshot.content.rating)
      identities.insert(snapshot.content.id)
      try server.release(names.count == 1 ? 1 : 9)
    }
    #expect(names.first == "Ad")
    #expect(names.last == "Ada")
    // Never 1, the first digit of 18.
    #expect(Set(ratings) == [nil, 18])
    #expect(ratings.last == 18)
    #expect(identities.count == 1)
    let response = try await stream.collect()
    #expect(response.content == Player(name: "Ada", rating: 18))
    #expect(try server.requests.count == 1)
  }

  @Test func collectReturnsTheWholeAnswer() async throws {
    let server = try await ScriptedServer(.text(#"[1, "#, "2]"))
    let session = LanguageModelSession(model: server.model())
    let response = try await session.streamResponse(generating: [Int].self) { "Count" }.collect()
    #expect(response.content == [1, 2])
    #expect(session.transcript.count == 2)
  }

  @Test func brokenStreamThrowsAndLeavesNoEntry() async throws {
    let server = try await ScriptedServer(.unfinished(#"{"index": 1"#, end: "die"))
    let session = LanguageModelSession(model: server.model())
    let stream = session.streamResponse(to: "Which?", generating: Election.self)
    let thrown = await failure {
      for try await snapshot in stream { #expect(snapshot.content.index == nil) }
      return "ended"
    }
    #expect(thrown == "decodingFailure")
    #expect(session.transcript.isEmpty)
    #expect(!session.isResponding)
    let collected = await failure { try await stream.collect().rawContent.jsonString }
    #expect(collected == "decodingFailure")
  }

  @Test func abandonedStreamEndsTheRequest() async throws {
    let server = try await ScriptedServer(.unfinished("a", end: "hang"), .text("b"))
    let session = LanguageModelSession(model: server.model())
    for try await snapshot in session.streamResponse(to: "one") {
      #expect(snapshot.content == "a")
      break
    }
    try await server.waitUntilLeft()
    while session.isResponding { await Task.yield() }
    #expect(session.transcript.isEmpty)
    let next = try await session.respond(to: "two").content
    #expect(next == "b")
  }

  @Test func cancelledTaskEndsTheStream() async throws {
    let server = try await ScriptedServer(.unfinished("a", end: "hang"))
    let session = LanguageModelSession(model: server.model())
    let task = Task {
      await failure {
        for try await _ in session.streamResponse(to: "one") {}
        return "ended"
      }
    }
    try await server.waitForRequests(1)
    task.cancel()
    let thrown = await task.value
    #expect(thrown == "CancellationError")
    try await server.waitUntilLeft()
  }
}
