import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FoundationModels

/// Sessions with models of other packages: the names of 2026.
@Suite(.tagged(.childProcess), .timeLimit(.minutes(5))) struct ProviderTests {
  /// Sends what a script says, and notes what it was asked.
  final class Script: Sendable {
    typealias Event = LanguageModelExecutorGenerationChannel.Event

    let rounds: [[Event]]
    let error: (any Error)?
    let requests = Mutex<[LanguageModelExecutorGenerationRequest]>([])
    let executors = Mutex(0)
    let prewarmed = Mutex<[Transcript]>([])
    /// What happens while an answer is awaited.
    let whenAsked = Mutex<@Sendable () -> Void>({})

    init(_ rounds: [Event]..., error: (any Error)? = nil) {
      self.rounds = rounds
      self.error = error
    }
  }

  struct Scripted: LanguageModel {
    let script: Script
    var capabilities = LanguageModelCapabilities([.toolCalling, .guidedGeneration, .reasoning])
    var executorConfiguration: Executor.Configuration { .init(script: ObjectIdentifier(script)) }

    struct Executor: LanguageModelExecutor {
      struct Configuration: Hashable, Sendable { let script: ObjectIdentifier }
      init(configuration: Configuration) throws {}

      func prewarm(model: Scripted, transcript: Transcript) {
        model.script.prewarmed.withLock { $0.append(transcript) }
      }

      func respond(
        to request: LanguageModelExecutorGenerationRequest, model: Scripted,
        streamingInto channel: LanguageModelExecutorGenerationChannel
      ) async throws {
        let number = model.script.requests.withLock {
          $0.append(request)
          return $0.count - 1
        }
        model.script.whenAsked.withLock { $0 }()
        let rounds = model.script.rounds
        for event in rounds.isEmpty ? [] : rounds[min(number, rounds.count - 1)] { await channel.send(event) }
        if let error = model.script.error { throw error }
      }
    }
  }

  struct Board: Tool {
    @Generable
    struct Arguments { var square: String }
    let name = "board"
    let description = "Returns the piece on a square"
    func call(arguments: Arguments) async throws -> String { "king on \(arguments.square)" }
  }

  private func text(_ fragments: String...) -> [Script.Event] {
    fragments.map { .response(action: .appendText($0, tokenCount: 1)) }
  }

  @Test func modelOfAnotherPackageAnswers() async throws {
    let script = Script(
      text("Good ", "day")
        + [
          .response(
            action: .updateUsage(
              input: .init(totalTokenCount: 5, cachedTokenCount: 2),
              output: .init(totalTokenCount: 3, reasoningTokenCount: 1))),
          .response(action: .updateMetadata(["by": "script", "is final": true])),
        ])
    let session = LanguageModelSession(model: Scripted(script: script), instructions: "Be polite.")
    let options = GenerationOptions(samplingMode: .random(top: 3, seed: 7), temperature: 0.5)
    let response = try await session.respond(
      to: "Hello", options: options, contextOptions: ContextOptions(reasoningLevel: .deep),
      metadata: ["origin": "test"])
    #expect(response.content == "Good day")
    #expect(response.usage.totalTokenCount == 8 && response.usage.input.cachedTokenCount == 2)
    try await session.respond(to: "Again")
    #expect(session.usage.totalTokenCount == 16 && session.usage.output.reasoningTokenCount == 2)
    let requests = script.requests.withLock { $0 }
    #expect(requests.count == 2 && requests[0].id != requests[1].id)
    #expect(requests[0].transcript.map(\.description) == ["(Instructions) Be polite.", "(Prompt) Hello"])
    #expect(requests[1].transcript.count == 4)
    #expect(requests[0].generationOptions.samplingMode?.kind == .randomTopK(3, seed: 7))
    #expect(requests[0].contextOptions.reasoningLevel == .deep)
    #expect(try requests[0].metadata["origin"].map { try String($0) } == "test")
    #expect(requests[0].schema == nil && requests[0].enabledToolDefinitions.isEmpty)
    guard case .response(let entry)? = session.transcript.last else {
      Issue.record("no response")
      return
    }
    #expect(try entry.metadata["by"].map { try String($0) } == "script")
    #expect(try entry.metadata["is final"].map { try Bool($0) } == true)
  }

  @Test func snapshotsGrowAndSegmentsAreReplaced() async throws {
    let script = Script(
      text("One", ", two") + [
        .response(action: .appendText(" three", segmentID: "b", tokenCount: 1)),
        .response(action: .replaceTextSegment(" and three", segmentID: "b", tokenCount: 2)),
      ])
    let session = LanguageModelSession(model: Scripted(script: script))
    var last = ""
    for try await snapshot in session.streamResponse(to: "Count", contextOptions: ContextOptions()) {
      last = snapshot.content
    }
    #expect(last == "One, two and three")
    #expect(try await session.streamResponse(to: "Count").collect().content == last)
  }

  @Test func toolsAreCalledByTheSession() async throws {
    let call: (String, String) -> Script.Event = { id, part in
      .toolCalls(action: .toolCall(id: id, name: "board", action: .appendArguments(part, tokenCount: 1)))
    }
    let script = Script(
      [
        .reasoning(action: .appendText("Two ", tokenCount: 1)),
        .reasoning(action: .appendText("squares", tokenCount: 1)),
        .reasoning(action: .updateSignature(Data([7]), tokenCount: 1)),
        // By turns, and one of them taken back.
        call("a", #"{"squ"#), call("b", #"{"square": "e8"}"#), call("c", "{}"), call("a", #"are": "e1"}"#),
        .toolCalls(action: .removeToolCall(id: "c")),
        .toolCalls(action: .toolCall(id: "a", name: "board", action: .updateMetadata(["tag": 1]))),
      ], text("Kings"))
    let session = LanguageModelSession(model: Scripted(script: script), tools: [Board()])
    let response = try await session.respond(to: "Who?")
    #expect(response.content == "Kings")
    #expect(
      response.transcriptEntries.map(\.description) == [
        "(Prompt) Who?", "(Reasoning) Two squares",
        #"(Tool calls) board({"square": "e1"}), board({"square": "e8"})"#,
        "(Tool output) board: king on e1", "(Tool output) board: king on e8", "(Response) Kings",
      ])
    let second = script.requests.withLock { $0[1] }
    #expect(second.enabledToolDefinitions.map(\.name) == ["board"])
    for case .reasoning(let entry) in second.transcript { #expect(entry.signature == Data([7])) }
    for case .toolCalls(let calls) in second.transcript {
      #expect(calls[0].metadata["tag"] == GeneratedContent(1))
    }
    // Stored and read again.
    let data = try JSONEncoder().encode(session.transcript)
    let stored = try JSONDecoder().decode(Transcript.self, from: data)
    #expect(stored.map(\.description) == session.transcript.map(\.description))
  }

  @Test func valueFollowsItsSchema() async throws {
    let session = LanguageModelSession(model: Scripted(script: Script(text(#"{"index": "#, "2}"))))
    let response = try await session.respond(
      to: "Which?", generating: Election.self, contextOptions: ContextOptions(includeSchemaInPrompt: false))
    #expect(response.content == Election(index: 2))
    let broken = LanguageModelSession(model: Scripted(script: Script(text("I would say 2."))))
    let error = await #expect(throws: GeneratedContent.ParsingError.self) {
      try await broken.respond(to: "Which?", generating: Election.self)
    }
    #expect(error?.rawContent == "I would say 2.")
    #expect(broken.transcript.isEmpty)
  }

  @Test(arguments: [
    (LanguageModelCapabilities.Capability.toolCalling, "tool calling"),
    (.guidedGeneration, "guided generation"),
    (.reasoning, "reasoning"),
  ])
  func whatAModelCannotDoIsNotAsked(_ capability: LanguageModelCapabilities.Capability, _ name: String)
    async throws
  {
    let script = Script(text("a"))
    let model = Scripted(script: script, capabilities: LanguageModelCapabilities([]))
    let session = LanguageModelSession(
      model: model, tools: capability == .toolCalling ? [Board()] : [] as [any Tool])
    let error = await #expect(throws: LanguageModelError.self) {
      switch capability {
      case .guidedGeneration: try await session.respond(to: "a", generating: Election.self)
      case .reasoning:
        try await session.respond(to: "a", contextOptions: ContextOptions(reasoningLevel: .light))
      default: try await session.respond(to: "a")
      }
    }
    guard case .unsupportedCapability(let details)? = error else {
      Issue.record("\(error)")
      return
    }
    #expect(details.capability == capability)
    #expect(error?.errorDescription?.contains(name) == true && details.debugDescription.contains("Scripted"))
    #expect(script.requests.withLock { $0.isEmpty })
    // Tools that must not be called are not needed.
    if capability == .toolCalling {
      try await session.respond(to: "a", options: GenerationOptions(toolCallingMode: .disallowed))
      #expect(script.requests.withLock { $0.map(\.enabledToolDefinitions.count) } == [0])
    }
  }

  struct Boom: Error {}

  @Test func errorOfTheExecutorIsThrownAsItIs() async throws {
    let limited = LanguageModelError.rateLimited(.init(resetDate: nil, debugDescription: "429"))
    for (error, policy) in [
      (limited, TranscriptErrorHandlingPolicy.revertTranscript), (Boom(), .preserveTranscript),
    ] as [(any Error, TranscriptErrorHandlingPolicy)] {
      let session = LanguageModelSession(model: Scripted(script: Script(text("a"), error: error)))
      session.transcriptErrorHandlingPolicy = policy
      await #expect {
        try await session.respond(to: "one")
      } throws: { "\($0)" == "\(error)" }
      #expect(session.transcript.count == (error is Boom ? 1 : 0))
      #expect(!session.isResponding)
    }
  }

  /// It waits until it is cancelled, or for ever.
  struct Slow: LanguageModel {
    let isDeaf: Bool
    let begun: Script
    var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }
    var executorConfiguration: Executor.Configuration { .init() }

    struct Executor: LanguageModelExecutor {
      struct Configuration: Hashable, Sendable {}
      init(configuration: Configuration) {}

      nonisolated(nonsending) func respond(
        to request: LanguageModelExecutorGenerationRequest, model: Slow,
        streamingInto channel: LanguageModelExecutorGenerationChannel
      ) async throws {
        model.begun.requests.withLock { $0.append(request) }
        guard model.isDeaf else { return try await Task.sleep(for: .seconds(600)) }
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      }
    }
  }

  @Test(arguments: [false, true]) func cancelledRequestWaitsForNoExecutor(isDeaf: Bool) async throws {
    let begun = Script()
    let session = LanguageModelSession(model: Slow(isDeaf: isDeaf, begun: begun))
    let task = Task { try await session.respond(to: "one").content }
    #expect(await eventually { begun.requests.withLock { $0.count } == 1 })
    await #expect(throws: LanguageModelSession.Error.concurrentRequests) {
      try await session.respond(to: "two")
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(session.transcript.isEmpty && !session.isResponding)
  }

  @Test func executorIsSharedAndPrewarmed() async throws {
    let script = Script(text("a"))
    let model = Scripted(script: script)
    #expect(type(of: try model.executor) == Scripted.Executor.self)
    let session = LanguageModelSession(model: model) { "Be brief." }
    session.prewarm(promptPrefix: Prompt("Once upon"))
    #expect(
      script.prewarmed.withLock { $0.map { $0.map(\.description) } }
        == [["(Instructions) Be brief.", "(Prompt) Once upon"]])
    #expect(session.transcript.count == 1)
  }

  /// A model that passes everything on to the system's, as programs write it.
  struct Wrapper: LanguageModel {
    let inner: SystemLanguageModel
    var capabilities: LanguageModelCapabilities { inner.capabilities }
    var executorConfiguration: Executor.Configuration { .init() }

    struct Executor: LanguageModelExecutor {
      struct Configuration: Hashable, Sendable {}
      init(configuration: Configuration) throws {}

      func respond(
        to request: LanguageModelExecutorGenerationRequest, model: Wrapper,
        streamingInto channel: LanguageModelExecutorGenerationChannel
      ) async throws {
        let executor = SystemLanguageModel.Executor(configuration: .init())
        try await executor.respond(to: request, model: model.inner, streamingInto: channel)
      }
    }
  }

  @Test func systemsModelCanBeWrapped() async throws {
    let finish = ScriptedServer.Answer.finish("stop")
    let usage =
      #"{"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 3}}}"#
    let server = try await ScriptedServer(
      .call("c1", "board", #"{"square": "e1"}"#),
      .init(events: [ScriptedServer.Answer.delta("The "), ScriptedServer.Answer.delta("king"), finish, usage]
      ),
      .error(429, "slow down"), .error(400, "too long", code: "context_length_exceeded"))
    let session = LanguageModelSession(model: Wrapper(inner: server.model()), tools: [Board()])
    let response = try await session.respond(
      to: "Who?", options: GenerationOptions(toolCallingMode: .required),
      contextOptions: ContextOptions(reasoningLevel: .moderate))
    #expect(response.content == "The king")
    #expect(response.usage.input.totalTokenCount == 9 && response.usage.output.totalTokenCount == 4)
    #expect(response.usage.input.cachedTokenCount == 3)
    let bodies = try server.requests.map { try $0.content }
    // Only until a tool was called.
    #expect(bodies.map { $0["tool_choice"]?.text } == ["required", nil])
    #expect(bodies[0]["reasoning_effort"]?.text == "medium")
    let limited = await #expect(throws: LanguageModelError.self) { try await session.respond(to: "Who?") }
    guard case .rateLimited? = limited else {
      Issue.record("\(limited)")
      return
    }
    let long = await #expect(throws: LanguageModelError.self) { try await session.respond(to: "Who?") }
    guard case .contextSizeExceeded(let details)? = long else {
      Issue.record("\(long)")
      return
    }
    #expect(details.contextSize == 4096)
  }

  /// The server divides a syllable, a letter and its accent, a joined emoji and the end of a line.
  @Test func wrappedModelKeepsCharactersThatAreSentInParts() async throws {
    let fragments = ["क", "\u{93F} ", "e", "\u{301} ", "👩", "\u{200D}", "🚀", "\r", "\nb"]
    let server = try await ScriptedServer(
      .init(events: fragments.map(ScriptedServer.Answer.delta) + [ScriptedServer.Answer.finish("stop")]))
    let session = LanguageModelSession(model: Wrapper(inner: server.model()))
    let response = try await session.respond(to: "Which?")
    #expect(response.content == fragments.joined())
  }

  /// What a program of before gets is as before.
  @Test func systemsModelThrowsTheErrorsOfBefore() async throws {
    let server = try await ScriptedServer(.error(429, "slow down"))
    let session = LanguageModelSession(model: server.model())
    await #expect(throws: LanguageModelSession.GenerationError.self) { try await session.respond(to: "a") }
    func any<Model: LanguageModel>(_ model: Model) -> LanguageModelSession {
      LanguageModelSession(model: model)
    }
    await #expect(throws: LanguageModelError.self) { try await any(server.model()).respond(to: "a") }
    let nowhere = SystemLanguageModel(configuration: .none)
    let error = await #expect(throws: SystemLanguageModel.Error.self) {
      try await any(nowhere).respond(to: "a")
    }
    #expect(error?.debugDescription.contains("FOUNDATION_MODEL_ENDPOINT") == true)
  }

  @Test func cloudIsNeverAvailable() async throws {
    let cloud = PrivateCloudComputeLanguageModel()
    #expect(!cloud.isAvailable && cloud.availability == .unavailable(.deviceNotEligible))
    #expect(!cloud.quotaUsage.isLimitReached)
    #expect(try await !cloud.supportsLocale())
    #expect(try await cloud.supportedLanguages.isEmpty)
    let error = await #expect(throws: PrivateCloudComputeLanguageModel.Error.self) {
      try await LanguageModelSession(model: cloud).respond(to: "a")
    }
    #expect(error?.localizedDescription.contains("SystemLanguageModel") == true)
  }

  @Test func optionsHaveBothTheirNames() {
    var options = GenerationOptions(samplingMode: .greedy, temperature: 0.1)
    #expect(options.sampling == .greedy && options.toolCallingMode == nil)
    options.sampling = .random(probabilityThreshold: 0.5)
    #expect(options.samplingMode?.kind == .randomProbabilityThreshold(0.5, seed: nil))
    #expect(GenerationOptions(sampling: .greedy) == GenerationOptions(samplingMode: .greedy))
    #expect(GenerationOptions() == GenerationOptions(temperature: nil))
    #expect(GenerationOptions(toolCallingMode: .required).toolCallingMode?.kind == .required)
  }

  /// What a program takes out of the transcript, the model does not see again.
  @Test func programChangesTheTranscript() async throws {
    let script = Script(text("Yes"))
    let session = LanguageModelSession(model: Scripted(script: script), instructions: "Be brief.")
    try await session.respond(to: "One?")
    try await session.respond(to: "Two?")
    session.transcript.history.removeFirst(2)
    try await session.respond(to: "Three?")
    #expect(
      script.requests.withLock { $0[2].transcript.map(\.description) } == [
        "(Instructions) Be brief.", "(Prompt) Two?", "(Response) Yes", "(Prompt) Three?",
      ])
    #expect(session.transcript.count == 5)
  }

  /// During a request, only the request changes the transcript.
  @Test(arguments: [nil, TranscriptErrorHandlingPolicy.preserveTranscript])
  func changeDuringARequestEndsIt(policy: TranscriptErrorHandlingPolicy?) async throws {
    let script = Script(text("Yes"))
    let session = LanguageModelSession(model: Scripted(script: script))
    try await session.respond(to: "One?")
    session.transcriptErrorHandlingPolicy = policy
    script.whenAsked.withLock { $0 = { session.transcript = Transcript() } }
    await #expect(throws: LanguageModelSession.Error.transcriptMutationWhileResponding) {
      try await session.respond(to: "Two?")
    }
    #expect(session.transcript.count == (policy == nil ? 2 : 0) && !session.isResponding)
    script.whenAsked.withLock { $0 = {} }
    try await session.respond(to: "Three?")
    #expect(session.transcript.count == (policy == nil ? 4 : 2))
  }

  @Test func transcriptIsACollectionThatChanges() {
    var transcript = Transcript(entries: [
      .instructions(.init(segments: [.text(.init(content: "Be brief."))], toolDefinitions: [])),
      .prompt(.init(segments: [.text(.init(content: "one"))])), .response(.init(segments: [])),
    ])
    #expect(transcript.history.count == 2)
    transcript.history.append(transcript[0])
    transcript.history[transcript.history.startIndex] = .prompt(
      .init(segments: [.text(.init(content: "two"))]))
    #expect(
      transcript.map(\.description) == [
        "(Instructions) Be brief.", "(Prompt) two", "(Response) ", "(Instructions) Be brief.",
      ])
    transcript.history.removeFirst(2)
    #expect(Array(transcript.history) == [transcript[0]])
    transcript.history = []
    #expect(transcript.map(\.description) == ["(Instructions) Be brief."])
    transcript = Transcript()
    transcript.history = [.prompt(.init(segments: [])), .response(.init(segments: []))]
    #expect(transcript.count == 2 && transcript.history.dropFirst().count == 1)
    transcript.append(.reasoning(.init(segments: [.text(.init(content: "Hm"))])))
    #expect(transcript.removeLast().description == "(Reasoning) Hm")
    let structure = Transcript.StructuredSegment(schemaName: "Election", content: GeneratedContent(1))
    #expect(structure.source == "Election" && structure.schemaName == "Election")
    let plain = Transcript.Response(id: "a", segments: [])
    #expect(plain == Transcript.Response(id: "a", metadata: [:], segments: []))
    #expect(plain != Transcript.Response(id: "a", metadata: ["k": 1], segments: []))
    #expect(Transcript.ResponseFormat(type: Election.self).kind == .schema(Election.generationSchema))
    #expect(Election.generationSchema.name == "Election")
  }
}
