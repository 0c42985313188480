extension LanguageModelSession {
  /// An answer.
  public struct Response<Content> where Content: Generable {
    /// The answer.
    public let content: Content
    /// The answer as it came.
    public let rawContent: GeneratedContent
    /// The turns from the question to the answer, which the transcript has too.
    public let transcriptEntries: ArraySlice<Transcript.Entry>
  }

  /// Asks for text.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` as soon as the task is cancelled.
  @discardableResult
  nonisolated(nonsending) final public func respond(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<String> {
    try await generate(request(prompt, nil, false, options)) { _ in }.typed()
  }

  /// Asks for text.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` as soon as the task is cancelled.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) final public func respond(
    to prompt: String, options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<String> {
    try await respond(to: Prompt(prompt), options: options)
  }

  /// Asks for text.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` as soon as the task is cancelled.
  @discardableResult
  nonisolated(nonsending) final public func respond(
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<String> {
    try await respond(to: prompt(), options: options)
  }

  /// Asks for what a schema describes.
  /// - Parameter includeSchemaInPrompt: whether the model reads the schema; it keeps to it in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` as soon as the task is cancelled.
  @discardableResult
  nonisolated(nonsending) final public func respond(
    to prompt: Prompt, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<GeneratedContent> {
    try await generate(request(prompt, schema, includeSchemaInPrompt, options)) { _ in }.typed()
  }

  /// Asks for what a schema describes.
  /// - Parameter includeSchemaInPrompt: whether the model reads the schema; it keeps to it in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` as soon as the task is cancelled.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) final public func respond(
    to prompt: String, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<GeneratedContent> {
    try await respond(
      to: Prompt(prompt), schema: schema, includeSchemaInPrompt: includeSchemaInPrompt, options: options)
  }

  /// Asks for what a schema describes.
  /// - Parameter includeSchemaInPrompt: whether the model reads the schema; it keeps to it in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` as soon as the task is cancelled.
  @discardableResult
  nonisolated(nonsending) final public func respond(
    schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<GeneratedContent> {
    try await respond(
      to: prompt(), schema: schema, includeSchemaInPrompt: includeSchemaInPrompt, options: options)
  }

  /// Asks for a type.
  /// - Parameter includeSchemaInPrompt: whether the model reads the schema; it keeps to it in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` as soon as the task is cancelled.
  @discardableResult
  nonisolated(nonsending) final public func respond<Content>(
    to prompt: Prompt, generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<Content> where Content: Generable {
    try await generate(request(prompt, Self.schema(of: type), includeSchemaInPrompt, options)) { _ in }
      .typed()
  }

  /// Asks for a type.
  /// - Parameter includeSchemaInPrompt: whether the model reads the schema; it keeps to it in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` as soon as the task is cancelled.
  @discardableResult @_disfavoredOverload
  nonisolated(nonsending) final public func respond<Content>(
    to prompt: String, generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<Content> where Content: Generable {
    try await respond(
      to: Prompt(prompt), generating: type, includeSchemaInPrompt: includeSchemaInPrompt, options: options)
  }

  /// Asks for a type.
  /// - Parameter includeSchemaInPrompt: whether the model reads the schema; it keeps to it in either case.
  /// - Throws: `GenerationError`, `ToolCallError`; `CancellationError` as soon as the task is cancelled.
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
    GenerationRequest(
      prompt: prompt.text, schema: schema, includesSchema: includesSchema, options: options)
  }

  /// Text is asked for as it is, not as JSON.
  static func schema<Content: Generable>(of type: Content.Type) -> GenerationSchema? {
    type == String.self ? nil : type.generationSchema
  }
}
