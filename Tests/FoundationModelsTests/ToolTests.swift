import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FoundationModels

@Suite(.tagged(.childProcess)) struct ToolTests {
  @Generable
  struct Query: Equatable {
    var square: String
  }

  struct Broken: Error {}

  /// Returns the piece on a square.
  final class Board: Tool {
    let name = "board"
    let description = "Returns the piece on a square"
    let isBroken: Bool
    let asked = Mutex<[String]>([])

    init(isBroken: Bool = false) { self.isBroken = isBroken }

    func call(arguments: Query) async throws -> Piece {
      if isBroken { throw Broken() }
      asked.withLock { $0.append(arguments.square) }
      return .king
    }
  }

  struct Clock: Tool {
    let description = "Returns the time"
    func call(arguments: String) async throws -> String { "noon" }
  }

  @Test func toolsReceiveArgumentsAndReturnOutput() async throws {
    let server = try await ScriptedServer(
      .call("c1", "board", #"{"squ"#, #"are": "e1"}"#), .call("c2", "Clock", #""now""#), .text("The king"))
    let board = Board()
    let session = LanguageModelSession(model: server.model(), tools: [board, Clock()], instructions: "Look.")
    let response = try await session.respond(to: "Which piece is on e1?")
    #expect(response.content == "The king")
    #expect(board.asked.withLock { $0 } == ["e1"])
    #expect(
      session.transcript.map(\.description) == [
        "(Instructions) Look. [board, Clock]", "(Prompt) Which piece is on e1?",
        #"(Tool calls) board({"square": "e1"})"#, #"(Tool output) board: "king""#,
        #"(Tool calls) Clock("now")"#, "(Tool output) Clock: noon", "(Response) The king",
      ])
    #expect(response.transcriptEntries.count == 6)
    let bodies = try server.requests.map { try $0.content }
    let function = try #require(bodies[0]["tools"]?.list?.first?["function"])
    #expect(function["name"]?.text == "board")
    #expect(function["parameters"] == Query.generationSchema.document(.strict))
    let messages = try #require(bodies[1]["messages"]?.list)
    #expect(
      messages[2].jsonString
        == #"{"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "#
        + #""function": {"name": "board", "arguments": "{\"square\": \"e1\"}"}}]}"#)
    #expect(messages[3].jsonString == #"{"role": "tool", "tool_call_id": "c1", "content": "\"king\""}"#)
  }

  @Test func failedToolIsNamedWithItsError() async throws {
    let server = try await ScriptedServer(.call("c1", "board", #"{"square": "e1"}"#))
    let session = LanguageModelSession(model: server.model(), tools: [Board(isBroken: true)])
    do {
      try await session.respond(to: "What?")
      Issue.record("answered")
    } catch let error as LanguageModelSession.ToolCallError {
      #expect(error.tool.name == "board")
      #expect(error.underlyingError is Broken)
      #expect(try #require(error.errorDescription).contains("board"))
    }
    #expect(session.transcript.count == 1)
    #expect(!session.isResponding)
  }

  @Test func argumentsOfAnotherFormAreRefused() async throws {
    let board = Board()
    let server = try await ScriptedServer(.call("c1", "board", #"{"file": "e"}"#))
    let session = LanguageModelSession(model: server.model(), tools: [board])
    let thrown = await failure { try await session.respond(to: "What?").content }
    #expect(thrown == "ToolCallError")
    #expect(board.asked.withLock { $0 } == [])
  }

  @Test func endlessOrUnknownToolCallsAreRefused() async throws {
    let server = try await ScriptedServer(.call("c1", "Clock", #""now""#))
    let session = LanguageModelSession(model: server.model(), tools: [Clock()])
    let thrown = await failure { try await session.respond(to: "When?").content }
    #expect(thrown == "decodingFailure")
    #expect(try server.requests.count == 32)
    let none = LanguageModelSession(model: server.model(), tools: [Board()])
    let unknown = await failure { try await none.respond(to: "When?").content }
    #expect(unknown == "decodingFailure")
  }
}
