extension LanguageModelSession {
  /// An answer to a request.
  public struct Response<Content> where Content: Generable {
    /// The answer.
    public let content: Content
    /// The answer before its conversion to `Content`.
    public let rawContent: GeneratedContent
    /// The entries of the transcript from the prompt to the answer.
    public let transcriptEntries: ArraySlice<Transcript.Entry>
    /// The tokens that the request took.
    public let usage: Usage
  }

  /// Requests text.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` immediately when the task is cancelled.
  @discardableResult
  nonisolated(nonsending) final public func respond(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<String> {
    try await generate(request(prompt, nil, false, options)) { _ in }.typed()
  }

  /// Requests text.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` immediately when the task is cancelled.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) final public func respond(
    to prompt: String, options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<String> {
    try await respond(to: Prompt(prompt), options: options)
  }

  /// Requests text.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` immediately when the task is cancelled.
  @discardableResult
  nonisolated(nonsending) final public func respond(
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<String> {
    try await respond(to: prompt(), options: options)
  }

  /// Requests a value that follows a schema.
  ///
  /// With `includeSchemaInPrompt` the prompt also contains the schema. The server receives the schema in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` immediately when the task is cancelled.
  @discardableResult
  nonisolated(nonsending) final public func respond(
    to prompt: Prompt, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<GeneratedContent> {
    try await generate(request(prompt, schema, includeSchemaInPrompt, options)) { _ in }.typed()
  }

  /// Requests a value that follows a schema.
  ///
  /// With `includeSchemaInPrompt` the prompt also contains the schema. The server receives the schema in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` immediately when the task is cancelled.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) final public func respond(
    to prompt: String, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<GeneratedContent> {
    try await respond(
      to: Prompt(prompt), schema: schema, includeSchemaInPrompt: includeSchemaInPrompt, options: options)
  }

  /// Requests a value that follows a schema.
  ///
  /// With `includeSchemaInPrompt` the prompt also contains the schema. The server receives the schema in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` immediately when the task is cancelled.
  @discardableResult
  nonisolated(nonsending) final public func respond(
    schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<GeneratedContent> {
    try await respond(
      to: prompt(), schema: schema, includeSchemaInPrompt: includeSchemaInPrompt, options: options)
  }

  /// Requests a value of a type.
  ///
  /// With `includeSchemaInPrompt` the prompt also contains the schema. The server receives the schema in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` immediately when the task is cancelled.
  @discardableResult
  nonisolated(nonsending) final public func respond<Content>(
    to prompt: Prompt, generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<Content> where Content: Generable {
    try await generate(request(prompt, Self.schema(of: type), includeSchemaInPrompt, options)) { _ in }
      .typed()
  }

  /// Requests a value of a type.
  ///
  /// With `includeSchemaInPrompt` the prompt also contains the schema. The server receives the schema in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` immediately when the task is cancelled.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) final public func respond<Content>(
    to prompt: String, generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<Content> where Content: Generable {
    try await respond(
      to: Prompt(prompt), generating: type, includeSchemaInPrompt: includeSchemaInPrompt, options: options)
  }

  /// Requests a value of a type.
  ///
  /// With `includeSchemaInPrompt` the prompt also contains the schema. The server receives the schema in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` immediately when the task is cancelled.
  @discardableResult
  nonisolated(nonsending) final public func respond<Content>(
    generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<Content> where Content: Generable {
    try await respond(
      to: prompt(), generating: type, includeSchemaInPrompt: includeSchemaInPrompt, options: options)
  }

  func request(
    _ prompt: Prompt, _ schema: GenerationSchema?, _ includesSchema: Bool,
    _ options: GenerationOptions
  ) -> GenerationRequest {
    request(prompt, schema, options, ContextOptions(includeSchemaInPrompt: includesSchema), [:])
  }

  func request(
    _ prompt: Prompt, _ schema: GenerationSchema?, _ options: GenerationOptions, _ context: ContextOptions,
    _ metadata: [String: any ConvertibleToGeneratedContent]
  ) -> GenerationRequest {
    GenerationRequest(
      prompt: prompt.text, schema: schema, options: options, context: context, metadata: metadata.contents)
  }

  /// The schema of a type; nil for `String`, which is requested as plain text.
  static func schema<Content: Generable>(of type: Content.Type) -> GenerationSchema? {
    type == String.self ? nil : type.generationSchema
  }
}
