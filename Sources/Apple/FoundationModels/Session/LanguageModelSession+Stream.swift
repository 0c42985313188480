extension LanguageModelSession {
  /// Requests a value that follows a schema.
  /// - Returns: a stream of snapshots. It throws `GenerationError` and `ToolCallError`.
  final public func streamResponse(
    to prompt: Prompt, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) -> sending ResponseStream<GeneratedContent> {
    stream(request(prompt, schema, includeSchemaInPrompt, options))
  }

  /// Requests a value that follows a schema.
  /// - Returns: a stream of snapshots. It throws `GenerationError` and `ToolCallError`.
  @_disfavoredOverload
  final public func streamResponse(
    to prompt: String, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) -> sending ResponseStream<GeneratedContent> {
    stream(request(Prompt(prompt), schema, includeSchemaInPrompt, options))
  }

  /// Requests a value that follows a schema.
  /// - Returns: a stream of snapshots. It throws `GenerationError` and `ToolCallError`.
  final public func streamResponse(
    schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> sending ResponseStream<GeneratedContent> {
    stream(request(try prompt(), schema, includeSchemaInPrompt, options))
  }

  /// Requests a value of a type.
  /// - Returns: a stream of snapshots. It throws `GenerationError` and `ToolCallError`.
  final public func streamResponse<Content>(
    to prompt: Prompt, generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) -> sending ResponseStream<Content> where Content: Generable {
    stream(request(prompt, Self.schema(of: type), includeSchemaInPrompt, options))
  }

  /// Requests a value of a type.
  /// - Returns: a stream of snapshots. It throws `GenerationError` and `ToolCallError`.
  @_disfavoredOverload
  final public func streamResponse<Content>(
    to prompt: String, generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) -> sending ResponseStream<Content> where Content: Generable {
    stream(request(Prompt(prompt), Self.schema(of: type), includeSchemaInPrompt, options))
  }

  /// Requests a value of a type.
  /// - Returns: a stream of snapshots. It throws `GenerationError` and `ToolCallError`.
  final public func streamResponse<Content>(
    generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> sending ResponseStream<Content> where Content: Generable {
    stream(request(try prompt(), Self.schema(of: type), includeSchemaInPrompt, options))
  }

  /// Requests text.
  /// - Returns: a stream of snapshots. It throws `GenerationError` and `ToolCallError`.
  final public func streamResponse(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions()
  ) -> sending ResponseStream<String> {
    stream(request(prompt, nil, false, options))
  }

  /// Requests text.
  /// - Returns: a stream of snapshots. It throws `GenerationError` and `ToolCallError`.
  @_disfavoredOverload
  final public func streamResponse(
    to prompt: String, options: GenerationOptions = GenerationOptions()
  ) -> sending ResponseStream<String> {
    stream(request(Prompt(prompt), nil, false, options))
  }

  /// Requests text.
  /// - Returns: a stream of snapshots. It throws `GenerationError` and `ToolCallError`.
  final public func streamResponse(
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> sending ResponseStream<String> {
    stream(request(try prompt(), nil, false, options))
  }

  func stream<Content>(_ request: GenerationRequest) -> ResponseStream<Content> {
    ResponseStream(source: ResponseSource { try await self.generate(request, report: $0) })
  }
}
