import Foundation
import TestSupport
import Testing

@testable import FoundationModels

@Suite(.tagged(.childProcess)) struct SessionTests {
  @Test func textAnswersExtendTheTranscript() async throws {
    let server = try await ScriptedServer(.text("Good ", "day"), .text("Again"))
    let session = LanguageModelSession(model: server.model(), instructions: "Be polite.")
    let response = try await session.respond(
      to: "Hello", options: GenerationOptions(sampling: .random(top: 3, seed: 7), maximumResponseTokens: 20))
    #expect(response.content == "Good day")
    #expect(response.rawContent.kind == .string("Good day"))
    #expect(response.transcriptEntries.map(\.description) == ["(Prompt) Hello", "(Response) Good day"])
    #expect(!session.isResponding)
    try await session.respond { "And now?" }
    #expect(
      session.transcript.map(\.description) == [
        "(Instructions) Be polite.", "(Prompt) Hello", "(Response) Good day", "(Prompt) And now?",
        "(Response) Again",
      ])
    let requests = try server.requests
    #expect(requests.map(\.path) == ["/v1/chat/completions", "/v1/chat/completions"])
    #expect(
      requests[0].body
        == #"{"messages": [{"role": "system", "content": "Be polite."}, {"role": "user", "content": "Hello"}], "#
        + #""stream": true, "top_k": 3, "seed": 7, "max_tokens": 20}"#)
    #expect(
      try requests[1].content["messages"]?.list?.map { $0["role"]?.text ?? "" }
        == ["system", "user", "assistant", "user"])
    #expect(requests[0].headers["Cookie"] == nil)
    #expect(requests[0].headers["Authorization"] == nil)
  }

  @Test func configuredNameAndKeyAreSentWithoutCookies() async throws {
    var answer = ScriptedServer.Answer.text("a")
    answer.headers = ["Set-Cookie": "a=b; Path=/"]
    let server = try await ScriptedServer(answer)
    let model = server.model(["FOUNDATION_MODEL_NAME": "tiny", "FOUNDATION_MODEL_KEY": "secret"])
    try await LanguageModelSession(model: model).respond(to: "a")
    try await LanguageModelSession(model: model).respond(to: "a")
    for request in try server.requests {
      #expect(try request.content["model"]?.text == "tiny")
      #expect(request.headers["Authorization"] == "Bearer secret")
      #expect(request.headers["Cookie"] == nil)
    }
  }

  @Test func answersAreReadWholeOrSplitAnywhere() async throws {
    let whole = ScriptedServer.Answer(
      body:
        #"{"choices": [{"message": {"role": "assistant", "content": "all at once"}, "finish_reason": "stop"}]}"#
    )
    let server = try await ScriptedServer(whole, .text("é😀", "\n\n", "data: x", split: 1))
    let session = LanguageModelSession(model: server.model())
    let first = try await session.respond(to: "a").content
    #expect(first == "all at once")
    let second = try await session.respond(to: "b").content
    #expect(second == "é😀\n\ndata: x")
  }

  @Test func typedRequestSendsItsSchema() async throws {
    let server = try await ScriptedServer(.text(#"{"index": "#, "2}"))
    let session = LanguageModelSession(model: server.model())
    let response = try await session.respond(to: "Which?", generating: Election.self)
    #expect(response.content == Election(index: 2))
    #expect(response.rawContent.jsonString == #"{"index": 2}"#)
    #expect(session.transcript.last?.description == #"(Response) {"index": 2}"#)
    #expect(session.transcript.first?.description == "(Prompt) Which?")
    try await session.respond(to: "Which?", generating: Election.self, includeSchemaInPrompt: false)
    let bodies = try server.requests.map { try $0.content }
    let format = try #require(bodies[0]["response_format"])
    #expect(format["type"]?.text == "json_schema")
    #expect(format["json_schema"]?["name"]?.text == "Election")
    #expect(format["json_schema"]?["strict"]?.kind == .bool(true))
    #expect(format["json_schema"]?["schema"] == Election.generationSchema.document(.strict))
    let prompts = bodies.compactMap { $0["messages"]?.list?.last?["content"]?.text }
    #expect(prompts[0].hasPrefix("Which?\n"))
    #expect(prompts[0].contains(#""maximum": 3"#))
    #expect(prompts[1] == "Which?")
  }

  @Test func dynamicSchemaIsAnswered() async throws {
    let server = try await ScriptedServer(.text(#""right""#))
    let schema = try GenerationSchema(
      root: .init(name: "Side", anyOf: ["left", "right"]), dependencies: [])
    let session = LanguageModelSession(model: server.model())
    let content = try await session.respond(to: "Which?", schema: schema).content
    #expect(content.kind == .string("right"))
  }

  private static let context = ScriptedServer.Answer.error(
    400, "the request exceeds the available context size", type: "exceed_context_size_error")

  @Test(
    arguments: [
      (.error(429, "slow down"), "rateLimited"),
      (.error(400, "too long", code: "context_length_exceeded"), "exceededContextWindowSize"),
      (context, "exceededContextWindowSize"),
      (.error(400, "held back", code: "content_filter"), "guardrailViolation"),
      (.error(400, "failed to parse grammar"), "unsupportedGuide"),
      (.error(401, "who are you"), "assetsUnavailable"),
      (.error(404, "no such model"), "assetsUnavailable"),
      (.error(500, "out of order"), "assetsUnavailable"),
      (.init(status: 503, body: "<html>"), "assetsUnavailable"),
      (.text("{\"index\": 1}", finish: "content_filter"), "guardrailViolation"),
      (.text(#"{"index": 1, "rea"#), "decodingFailure"),
      (.text(#"{"index": 1, "rea"#, finish: "length"), "decodingFailure"),
      (.text("I would say 1."), "decodingFailure"),
      (.text(#"{"index": 4}"#), "decodingFailure"),
      (.text(#"{"number": 1}"#), "decodingFailure"),
      (.text(""), "decodingFailure"),
      (.unfinished(#"{"index": 1}"#, end: "silent"), "decodingFailure"),
      (.unfinished(#"{"index": 1}"#, end: "die"), "decodingFailure"),
      (.init(events: ["{{{"]), "decodingFailure"),
      (
        .init(events: [ScriptedServer.Answer.delta("{"), #"{"error": {"message": "busy", "code": 429}}"#]),
        "rateLimited"
      ),
      // As llama.cpp sends it in a stream.
      (
        .init(events: [
          #"{"code": 400, "message": "the request exceeds the available context size", "type": "invalid_request_error"}"#
        ]), "exceededContextWindowSize"
      ),
      (.init(body: "garbage"), "decodingFailure"),
      (.init(body: ""), "decodingFailure"),
      (.init(body: #"{"error": {"message": "the context window is full"}}"#), "exceededContextWindowSize"),
    ] as [(ScriptedServer.Answer, String)])
  func failedRequestThrowsAndLeavesNoEntry(answer: ScriptedServer.Answer, kind: String) async throws {
    let server = try await ScriptedServer(answer, .text(#"{"index": 0}"#))
    let session = LanguageModelSession(model: server.model(), instructions: "Elect.")
    let thrown = await failure {
      try await session.respond(to: "Which?", generating: Election.self).rawContent.jsonString
    }
    #expect(thrown == kind)
    #expect(session.transcript.count == 1)
    #expect(!session.isResponding)
    // The session can be used again.
    let election = try await session.respond(to: "Which?", generating: Election.self).content
    #expect(election.index == 0)
  }

  @Test func cutTextIsReturnedOnlyWithALimit() async throws {
    let server = try await ScriptedServer(.text("As long", finish: "length"))
    let session = LanguageModelSession(model: server.model())
    let options = GenerationOptions(maximumResponseTokens: 2)
    let text = try await session.respond(to: "a", options: options).content
    #expect(text == "As long")
    let thrown = await failure { try await session.respond(to: "a").content }
    #expect(thrown == "exceededContextWindowSize")
  }

  @Test func endlessAnswerIsRefused() async throws {
    let server = try await ScriptedServer(.init(events: [], endless: 9 << 20))
    let session = LanguageModelSession(model: server.model())
    let thrown = await failure { "\(try await session.respond(to: "a").content.utf8.count) bytes" }
    #expect(thrown == "decodingFailure")
  }

  @Test func refusalCarriesTheExplanation() async throws {
    let server = try await ScriptedServer(
      .init(events: [
        #"{"choices": [{"delta": {"refusal": "I would "}}]}"#,
        #"{"choices": [{"delta": {"refusal": "rather not."}}]}"#,
        ScriptedServer.Answer.finish("stop"),
      ]))
    let session = LanguageModelSession(model: server.model())
    do {
      try await session.respond(to: "Which?", generating: Election.self)
      Issue.record("no refusal")
    } catch LanguageModelSession.GenerationError.refusal(let refusal, _) {
      let explanation = try await refusal.explanation
      #expect(explanation.content == "I would rather not.")
      #expect(explanation.transcriptEntries.count == 2)
      let again = try await refusal.explanationStream.collect().content
      #expect(again == explanation.content)
    }
    #expect(session.transcript.isEmpty)
    let mute = LanguageModelSession.GenerationError.Refusal(transcriptEntries: [])
    let thrown = await failure { try await mute.explanation.content }
    #expect(thrown == "decodingFailure")
  }

  @Test func secondRequestDuringAnAnswerIsRefused() async throws {
    let server = try await ScriptedServer(.unfinished("a", end: "hang"), .text("b"))
    let session = LanguageModelSession(model: server.model())
    let first = Task { try await session.respond(to: "one").content }
    try await server.waitForRequests(1)
    #expect(session.isResponding)
    #expect(session.transcript.count == 1)
    let thrown = await failure { try await session.respond(to: "two").content }
    #expect(thrown == "concurrentRequests")
    first.cancel()
    _ = await first.result
    #expect(session.transcript.isEmpty)
    let second = try await session.respond(to: "three").content
    #expect(second == "b")
    #expect(try server.requests.count == 2)
  }

  @Test func manyConcurrentRequestsKeepTheTranscriptConsistent() async throws {
    let server = try await ScriptedServer(.text("a"))
    let session = LanguageModelSession(model: server.model())
    let outcomes = await withTaskGroup(of: String.self) { group in
      for number in 0..<16 {
        group.addTask { await failure { try await session.respond(to: "\(number)").content } }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    let answered = outcomes["answered: a", default: 0]
    #expect(answered >= 1)
    #expect(answered + outcomes["concurrentRequests", default: 0] == 16)
    #expect(session.transcript.count == 2 * answered)
    #expect(try server.requests.count == answered)
  }

  @Test func cancelledTaskEndsTheRequest() async throws {
    let server = try await ScriptedServer(.unfinished("a", end: "hang"))
    let session = LanguageModelSession(model: server.model())
    let task = Task { await failure { try await session.respond(to: "one").content } }
    try await server.waitForRequests(1)
    task.cancel()
    let thrown = await task.value
    #expect(thrown == "CancellationError")
    // The server notices that the connection ends.
    try await server.waitUntilLeft()
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { try await session.respond(to: "two").content }
    }
    let second = await cancelled.value
    #expect(second == "CancellationError")
    #expect(try server.requests.count == 1)
    #expect(session.transcript.isEmpty)
    #expect(!session.isResponding)
  }

  @Test func callersDeadlineEndsTheRequest() async throws {
    let server = try await ScriptedServer(.unfinished(#"{"index": "#, end: "hang"))
    let session = LanguageModelSession(model: server.model())
    let outcomes = await withTaskGroup(of: String.self) { group in
      group.addTask {
        await failure {
          "\(try await session.respond(to: "Which?", generating: Election.self).content.index)"
        }
      }
      group.addTask {
        // Replaces a timer.
        try? await server.waitForRequests(1)
        return "over"
      }
      let first = await group.next()
      group.cancelAll()
      return [first, await group.next()]
    }
    #expect(outcomes == ["over", "CancellationError"])
    #expect(!session.isResponding)
  }

  @Test func hangingServersBlockNoThread() async throws {
    let server = try await ScriptedServer(.unfinished(end: "hang"))
    let model = server.model()
    // More than the tasks that can run at once.
    let tasks = (0..<64).map { number in
      Task { await failure { try await LanguageModelSession(model: model).respond(to: "\(number)").content } }
    }
    try await server.waitForRequests(64)
    for task in tasks { task.cancel() }
    for task in tasks {
      let thrown = await task.value
      #expect(thrown == "CancellationError")
    }
  }

  @Test func feedbackIsReturnedAndNotSent() async throws {
    let server = try await ScriptedServer(.text("a"))
    let session = LanguageModelSession(model: server.model())
    try await session.respond(to: "one")
    let data = session.logFeedbackAttachment(
      sentiment: .negative, issues: [.init(category: .incorrect, explanation: "no")], desiredResponseText: "b"
    )
    let content = try GeneratedContent(json: String(decoding: data, as: UTF8.self))
    #expect(content["sentiment"]?.text == "negative")
    #expect(content["issues"]?.list?.first?["category"]?.text == "incorrect")
    session.prewarm()
    #expect(try server.requests.count == 1)
  }
}
