extension LanguageModelSession {
  /// What a program gives with a request, for the model's executor.
  public typealias RequestMetadata = [String: any ConvertibleToGeneratedContent]

  /// Requests text.
  /// - Throws: `GenerationError`, or the errors of 2026; `ToolCallError`; `CancellationError`.
  @discardableResult
  nonisolated(nonsending) final public func respond(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(), metadata: RequestMetadata = [:]
  ) async throws -> Response<String> {
    try await generate(request(prompt, nil, options, contextOptions, metadata)) { _ in }.typed()
  }

  /// Requests text.
  /// - Returns: a stream of snapshots. It throws what `respond` throws.
  final public func streamResponse(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(), metadata: RequestMetadata = [:]
  ) -> sending ResponseStream<String> {
    stream(request(prompt, nil, options, contextOptions, metadata))
  }

  /// Requests text.
  /// - Throws: `GenerationError`, or the errors of 2026; `ToolCallError`; `CancellationError`.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) final public func respond(
    to prompt: String, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(), metadata: RequestMetadata = [:]
  ) async throws -> Response<String> {
    try await generate(request(Prompt(prompt), nil, options, contextOptions, metadata)) { _ in }.typed()
  }

  /// Requests text.
  /// - Returns: a stream of snapshots. It throws what `respond` throws.
  @_disfavoredOverload
  final public func streamResponse(
    to prompt: String, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(), metadata: RequestMetadata = [:]
  ) -> sending ResponseStream<String> {
    stream(request(Prompt(prompt), nil, options, contextOptions, metadata))
  }

  /// Requests text.
  /// - Throws: `GenerationError`, or the errors of 2026; `ToolCallError`; `CancellationError`.
  @discardableResult
  nonisolated(nonsending) final public func respond(
    options: GenerationOptions = GenerationOptions(), contextOptions: ContextOptions = ContextOptions(),
    metadata: RequestMetadata = [:], @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<String> {
    try await generate(request(try prompt(), nil, options, contextOptions, metadata)) { _ in }.typed()
  }

  /// Requests text.
  /// - Returns: a stream of snapshots. It throws what `respond` throws.
  final public func streamResponse(
    options: GenerationOptions = GenerationOptions(), contextOptions: ContextOptions = ContextOptions(),
    metadata: RequestMetadata = [:], @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> sending ResponseStream<String> {
    stream(request(try prompt(), nil, options, contextOptions, metadata))
  }

  /// Requests a value that follows a schema.
  /// - Throws: `GenerationError`, or the errors of 2026; `ToolCallError`; `CancellationError`.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) final public func respond(
    to prompt: Prompt, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:]
  ) async throws -> Response<GeneratedContent> {
    try await generate(request(prompt, schema, options, contextOptions, metadata)) { _ in }.typed()
  }

  /// Requests a value that follows a schema.
  /// - Returns: a stream of snapshots. It throws what `respond` throws.
  @_disfavoredOverload
  final public func streamResponse(
    to prompt: Prompt, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:]
  ) -> sending ResponseStream<GeneratedContent> {
    stream(request(prompt, schema, options, contextOptions, metadata))
  }

  /// Requests a value that follows a schema.
  /// - Throws: `GenerationError`, or the errors of 2026; `ToolCallError`; `CancellationError`.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) final public func respond(
    to prompt: String, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:]
  ) async throws -> Response<GeneratedContent> {
    try await generate(request(Prompt(prompt), schema, options, contextOptions, metadata)) { _ in }.typed()
  }

  /// Requests a value that follows a schema.
  /// - Returns: a stream of snapshots. It throws what `respond` throws.
  @_disfavoredOverload
  final public func streamResponse(
    to prompt: String, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:]
  ) -> sending ResponseStream<GeneratedContent> {
    stream(request(Prompt(prompt), schema, options, contextOptions, metadata))
  }

  /// Requests a value that follows a schema.
  /// - Throws: `GenerationError`, or the errors of 2026; `ToolCallError`; `CancellationError`.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) final public func respond(
    schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:], @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<GeneratedContent> {
    try await generate(request(try prompt(), schema, options, contextOptions, metadata)) { _ in }.typed()
  }

  /// Requests a value that follows a schema.
  /// - Returns: a stream of snapshots. It throws what `respond` throws.
  @_disfavoredOverload
  final public func streamResponse(
    schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:], @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> sending ResponseStream<GeneratedContent> {
    stream(request(try prompt(), schema, options, contextOptions, metadata))
  }

  /// Requests a value of a type.
  /// - Throws: `GenerationError`, or the errors of 2026; `ToolCallError`; `CancellationError`.
  @discardableResult
  nonisolated(nonsending) final public func respond<Content>(
    to prompt: Prompt, generating type: Content.Type = Content.self,
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:]
  ) async throws -> Response<Content> where Content: Generable {
    try await generate(request(prompt, Self.schema(of: type), options, contextOptions, metadata)) { _ in }
      .typed()
  }

  /// Requests a value of a type.
  /// - Returns: a stream of snapshots. It throws what `respond` throws.
  final public func streamResponse<Content>(
    to prompt: Prompt, generating type: Content.Type = Content.self,
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:]
  ) -> sending ResponseStream<Content> where Content: Generable {
    stream(request(prompt, Self.schema(of: type), options, contextOptions, metadata))
  }

  /// Requests a value of a type.
  /// - Throws: `GenerationError`, or the errors of 2026; `ToolCallError`; `CancellationError`.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) final public func respond<Content>(
    to prompt: String, generating type: Content.Type = Content.self,
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:]
  ) async throws -> Response<Content> where Content: Generable {
    try await generate(request(Prompt(prompt), Self.schema(of: type), options, contextOptions, metadata)) {
      _ in
    }.typed()
  }

  /// Requests a value of a type.
  /// - Returns: a stream of snapshots. It throws what `respond` throws.
  @_disfavoredOverload
  final public func streamResponse<Content>(
    to prompt: String, generating type: Content.Type = Content.self,
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:]
  ) -> sending ResponseStream<Content> where Content: Generable {
    stream(request(Prompt(prompt), Self.schema(of: type), options, contextOptions, metadata))
  }

  /// Requests a value of a type.
  /// - Throws: `GenerationError`, or the errors of 2026; `ToolCallError`; `CancellationError`.
  @discardableResult
  nonisolated(nonsending) final public func respond<Content>(
    generating type: Content.Type = Content.self, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:], @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<Content> where Content: Generable {
    try await generate(request(try prompt(), Self.schema(of: type), options, contextOptions, metadata)) { _ in
    }.typed()
  }

  /// Requests a value of a type.
  /// - Returns: a stream of snapshots. It throws what `respond` throws.
  final public func streamResponse<Content>(
    generating type: Content.Type = Content.self, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: RequestMetadata = [:], @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> sending ResponseStream<Content> where Content: Generable {
    stream(request(try prompt(), Self.schema(of: type), options, contextOptions, metadata))
  }
}
