import Foundation

/// An answer before its conversion to a type, with the transcript entries of the request.
struct RawResponse: Sendable {
  let content: GeneratedContent
  let entries: ArraySlice<Transcript.Entry>
  var usage = LanguageModelSession.Usage()

  func typed<Content>() throws -> LanguageModelSession.Response<Content> {
    .init(content: try Content(content), rawContent: content, transcriptEntries: entries, usage: usage)
  }
}

/// A request to a session.
struct GenerationRequest: Sendable {
  let prompt: String
  /// The schema of the answer; nil for text.
  let schema: GenerationSchema?
  let options: GenerationOptions
  let context: ContextOptions
  let metadata: [String: GeneratedContent]
}

extension LanguageModelSession {
  /// The maximum number of rounds of tool calls for one answer.
  private static let maxToolRounds = 32

  /// Sends a request, runs the tools that the model calls, and returns the answer.
  /// - Parameter report: called with the text so far.
  /// - Throws: `GenerationError` or, for the errors of 2026, what an executor throws; `ToolCallError`, `CancellationError`. The
  ///   transcript is then the same as before, unless it is to be preserved.
  func generate(_ request: GenerationRequest, report: (String) -> Void) async throws -> RawResponse {
    var answer = ""
    do {
      let before = try begin()
      do {
        let response = try await run(request) {
          answer = $0
          report($0)
        }
        end(restoring: nil, adding: response.usage)
        return response
      } catch {
        end(restoring: keepsFailures ? nil : before)
        throw error
      }
    } catch let error as GenerationError where throwsRenewedErrors {
      throw error.renewed(answer: answer)
    }
  }

  private func run(_ request: GenerationRequest, report: (String) -> Void) async throws -> RawResponse {
    try Task.checkCancellation()
    let allows = request.options.toolCallingMode != .disallowed
    let definitions = allows ? tools.map { Transcript.ToolDefinition(tool: $0) } : []
    for schema in [request.schema].compactMap(\.self) + definitions.map(\.parameters) {
      if let guide = schema.unsupportedGuide {
        throw GenerationError.unsupportedGuide(
          .init(debugDescription: "\(guide) cannot be sent to a server."))
      }
    }
    try checkCapabilities(for: request, hasTools: !definitions.isEmpty)
    let start = transcript.count
    try append(
      .prompt(
        .init(
          metadata: request.metadata, segments: [.text(.init(content: request.prompt))],
          options: request.options,
          responseFormat: request.schema.map(Transcript.ResponseFormat.init(schema:)),
          contextOptions: request.context)))
    var usage = Usage()
    for _ in 0..<Self.maxToolRounds {
      let reply = try await answer(
        .init(
          id: UUID(), transcript: unchangedTranscript(), enabledTools: definitions, schema: request.schema,
          generationOptions: request.options, contextOptions: request.context, metadata: request.metadata),
        report: report)
      usage = usage + reply.usage
      for thought in reply.reasoning { try append(.reasoning(thought)) }
      guard reply.toolCalls.isEmpty else {
        try await call(reply.toolCalls)
        continue
      }
      let content = try content(of: reply, for: request, turn: unchangedTranscript()[start...])
      try append(
        .response(
          .init(
            assetIDs: [reply.model].compactMap(\.self), metadata: reply.metadata,
            segments: [segment(content, request)])))
      return try RawResponse(content: content, entries: Array(unchangedTranscript())[start...], usage: usage)
    }
    throw GenerationError.decodingFailure(
      .init(debugDescription: "The model called tools \(Self.maxToolRounds) times without giving an answer."))
  }

  private func answer(
    _ request: LanguageModelExecutorGenerationRequest, report: (String) -> Void
  ) async throws -> ChatReply {
    // The system's model needs no channel.
    if let system = model as? SystemLanguageModel {
      return try await system.reply(to: request, report: report)
    }
    return try await model.answer(request, report: report)
  }

  /// - Throws: `LanguageModelError.unsupportedCapability` if the model cannot do what is asked for.
  private func checkCapabilities(for request: GenerationRequest, hasTools: Bool) throws {
    let needs: [(LanguageModelCapabilities.Capability, Bool, String)] = [
      (.toolCalling, hasTools, "The session has tools"),
      (.guidedGeneration, request.schema != nil, "The request has a schema"),
      (.reasoning, request.context.reasoningLevel != nil, "The request has a reasoning level"),
    ]
    for (capability, isNeeded, reason) in needs where isNeeded && !model.capabilities.contains(capability) {
      throw LanguageModelError.unsupportedCapability(
        .init(
          capability: capability,
          debugDescription: "\(reason), and \(type(of: model)) is not capable of \(capability.name)."))
    }
  }

  private func segment(_ content: GeneratedContent, _ request: GenerationRequest) -> Transcript.Segment {
    guard let schema = request.schema else { return .text(.init(content: content.text ?? "")) }
    return .structure(.init(source: schema.name, content: content))
  }

  private func content(
    of reply: ChatReply, for request: GenerationRequest, turn: Slice<Transcript>
  ) throws -> GeneratedContent {
    if let problem = reply.problem(turn: Array(turn)) { throw problem }
    guard let schema = request.schema else {
      if reply.finishReason == "length", request.options.maximumResponseTokens == nil {
        throw GenerationError.exceededContextWindowSize(
          .init(debugDescription: "The context has no room for the rest of the answer."))
      }
      return reply.text.generatedContent
    }
    let content = try GeneratedContent(json: reply.text)
    guard content.isComplete else { throw content.mismatch("a complete answer") }
    try schema.validate(content)
    return content
  }

  private func call(_ calls: [ChatReply.ToolCall]) async throws {
    let calls = try calls.map { call in
      let arguments = try GeneratedContent(json: call.arguments.isEmpty ? "{}" : call.arguments)
      guard arguments.isComplete else { throw arguments.mismatch("complete arguments for \(call.name)") }
      return Transcript.ToolCall(
        id: call.id, metadata: call.metadata, toolName: call.name, arguments: arguments)
    }
    try append(.toolCalls(.init(calls)))
    for call in calls {
      guard let tool = tools.first(where: { $0.name == call.toolName }) else {
        throw GenerationError.decodingFailure(
          .init(debugDescription: "The model called the tool \(call.toolName), which does not exist."))
      }
      let output: String
      do {
        output = try await tool.call(content: call.arguments)
      } catch {
        try Task.checkCancellation()
        throw ToolCallError(tool: tool, underlyingError: error)
      }
      try Task.checkCancellation()
      try append(
        .toolOutput(.init(id: call.id, toolName: call.toolName, segments: [.text(.init(content: output))])))
    }
  }
}
