extension SystemLanguageModel: LanguageModel {
  /// What the server's model is taken to do: it keeps to schemas, calls tools and, where it can, thinks.
  final public var capabilities: LanguageModelCapabilities {
    LanguageModelCapabilities([.guidedGeneration, .toolCalling, .reasoning])
  }

  /// The same for all: what a request needs is in the model.
  final public var executorConfiguration: Executor.Configuration { Executor.Configuration() }

  /// Sends requests to the server, for models that are made of this one.
  public struct Executor: LanguageModelExecutor {
    /// The model.
    public typealias Model = SystemLanguageModel

    /// What distinguishes executors: nothing.
    public struct Configuration: Hashable, Sendable {
      /// Creates the configuration.
      public init() {}
    }

    /// Creates an executor.
    public init(configuration: Configuration) {}

    /// Sends a request, and passes the answer on in parts.
    /// - Throws: `SystemLanguageModel.Error`, `LanguageModelError`, `CancellationError`.
    nonisolated(nonsending) public func respond(
      to request: LanguageModelExecutorGenerationRequest, model: SystemLanguageModel,
      streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
      var sent = ""
      let reply: ChatReply
      do {
        reply = try await model.reply(to: request) { text in
          // Not by characters: what follows may belong to the last one, such as an accent.
          let new = text.unicodeScalars.dropFirst(sent.unicodeScalars.count)
          channel.post(.response(action: .appendText(String(new), tokenCount: 0)))
          sent = text
        }
        if let problem = reply.problem(turn: Array(request.transcript)) { throw problem }
      } catch let error as LanguageModelSession.GenerationError {
        throw error.renewed(contextSize: model.contextSize, answer: sent)
      }
      for call in reply.toolCalls {
        await channel.send(
          .toolCalls(
            action: .toolCall(
              id: call.id, name: call.name, action: .appendArguments(call.arguments, tokenCount: 0))))
      }
      await channel.send(
        .response(action: .updateUsage(input: reply.usage.input, output: reply.usage.output)))
    }
  }

  /// Sends a request to the server and waits for the whole answer.
  /// - Throws: `LanguageModelSession.GenerationError`, `CancellationError`.
  func reply(
    to request: LanguageModelExecutorGenerationRequest, report: (String) -> Void
  ) async throws -> ChatReply {
    try await endpoint.answer(
      ChatRequest(
        transcript: request.transcript, schema: request.schema,
        includesSchemaInPrompt: request.contextOptions.includeSchemaInPrompt ?? true,
        tools: request.enabledToolDefinitions, options: request.generationOptions,
        reasoningLevel: request.contextOptions.reasoningLevel, preamble: useCase.preamble),
      report: report)
  }
}

extension ChatReply {
  /// Why the reply is no answer; nil if it is one.
  /// - Parameter turn: the entries from the prompt on.
  func problem(turn: [Transcript.Entry]) -> LanguageModelSession.GenerationError? {
    if !refusal.isEmpty {
      let response = Transcript.Entry.response(
        .init(assetIDs: [], segments: [.text(.init(content: refusal))]))
      return .refusal(.init(transcriptEntries: turn + [response]), .init(debugDescription: refusal))
    }
    guard finishReason == "content_filter" else { return nil }
    return .guardrailViolation(.init(debugDescription: "The server's content filter blocked the answer."))
  }
}
