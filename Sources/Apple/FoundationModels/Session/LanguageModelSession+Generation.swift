/// An answer before its conversion to a type, with the transcript entries of the request.
struct RawResponse: Sendable {
  let content: GeneratedContent
  let entries: ArraySlice<Transcript.Entry>

  func typed<Content>() throws -> LanguageModelSession.Response<Content> {
    .init(content: try Content(content), rawContent: content, transcriptEntries: entries)
  }
}

/// A request to a session.
struct GenerationRequest: Sendable {
  let prompt: String
  /// The schema of the answer; nil for text.
  let schema: GenerationSchema?
  let includesSchema: Bool
  let options: GenerationOptions
}

extension LanguageModelSession {
  /// The maximum number of rounds of tool calls for one answer.
  private static let maxToolRounds = 32

  /// Sends a request, runs the tools that the model calls, and returns the answer.
  /// - Parameter report: called with the text so far.
  /// - Throws: `GenerationError`, `ToolCallError`, `CancellationError`. The transcript is then the same as before.
  func generate(_ request: GenerationRequest, report: (String) -> Void) async throws -> RawResponse {
    let before = try begin()
    do {
      let response = try await run(request, report: report)
      end(restoring: nil)
      return response
    } catch {
      end(restoring: before)
      throw error
    }
  }

  private func run(_ request: GenerationRequest, report: (String) -> Void) async throws -> RawResponse {
    try Task.checkCancellation()
    let endpoint = try model.endpoint
    let definitions = tools.map { Transcript.ToolDefinition(tool: $0) }
    for schema in [request.schema].compactMap(\.self) + definitions.map(\.parameters) {
      if let guide = schema.unsupportedGuide {
        throw GenerationError.unsupportedGuide(
          .init(debugDescription: "\(guide) cannot be sent to a server."))
      }
    }
    let start = transcript.count
    append(
      .prompt(
        .init(
          segments: [.text(.init(content: request.prompt))], options: request.options,
          responseFormat: request.schema.map(Transcript.ResponseFormat.init(schema:)))))
    for _ in 0..<Self.maxToolRounds {
      let chat = ChatRequest(
        transcript: transcript, schema: request.schema, includesSchemaInPrompt: request.includesSchema,
        tools: definitions, options: request.options, preamble: model.useCase.preamble)
      let reply = try await endpoint.answer(chat, report: report)
      guard reply.toolCalls.isEmpty else {
        try await call(reply.toolCalls)
        continue
      }
      let content = try content(of: reply, for: request, turn: transcript[start...])
      append(
        .response(.init(assetIDs: [reply.model].compactMap(\.self), segments: [segment(content, request)])))
      return RawResponse(content: content, entries: Array(transcript)[start...])
    }
    throw GenerationError.decodingFailure(
      .init(debugDescription: "The model called tools \(Self.maxToolRounds) times without giving an answer."))
  }

  private func segment(_ content: GeneratedContent, _ request: GenerationRequest) -> Transcript.Segment {
    guard let schema = request.schema else { return .text(.init(content: content.text ?? "")) }
    return .structure(.init(source: schema.name, content: content))
  }

  private func content(
    of reply: ChatReply, for request: GenerationRequest, turn: Slice<Transcript>
  ) throws -> GeneratedContent {
    if !reply.refusal.isEmpty {
      let response = Transcript.Entry.response(
        .init(assetIDs: [], segments: [.text(.init(content: reply.refusal))]))
      throw GenerationError.refusal(
        .init(transcriptEntries: turn + [response]), .init(debugDescription: reply.refusal))
    }
    if reply.finishReason == "content_filter" {
      throw GenerationError.guardrailViolation(
        .init(debugDescription: "The server's content filter blocked the answer."))
    }
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
      return Transcript.ToolCall(id: call.id, toolName: call.name, arguments: arguments)
    }
    append(.toolCalls(.init(calls)))
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
      append(
        .toolOutput(.init(id: call.id, toolName: call.toolName, segments: [.text(.init(content: output))])))
    }
  }
}
