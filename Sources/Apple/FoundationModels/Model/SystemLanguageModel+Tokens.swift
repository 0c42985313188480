/// Servers have no common way to count. On Linux these are estimates, one token for three bytes of UTF-8, mostly more
/// than a model for English needs; nothing is sent, and none of them throws.
extension SystemLanguageModel {
  /// How many tokens a prompt is.
  nonisolated(nonsending) final public func tokenCount(for prompt: some PromptRepresentable) async throws
    -> Int
  {
    Self.estimate(prompt.promptRepresentation.text)
  }

  /// How many tokens instructions are.
  nonisolated(nonsending) final public func tokenCount(for instructions: Instructions) async throws -> Int {
    Self.estimate(instructions.text)
  }

  /// How many tokens the descriptions of tools are.
  nonisolated(nonsending) final public func tokenCount(for tools: [any Tool]) async throws -> Int {
    tools.reduce(0) {
      $0 + Self.estimate($1.name + $1.description + $1.parameters.document(.strict).jsonString)
    }
  }

  /// How many tokens a schema is.
  nonisolated(nonsending) final public func tokenCount(for schema: GenerationSchema) async throws -> Int {
    Self.estimate(schema.document(.strict).jsonString)
  }

  /// How many tokens the turns of a transcript are.
  nonisolated(nonsending) final public func tokenCount(
    for transcriptEntries: some Collection<Transcript.Entry>
  ) async throws -> Int {
    transcriptEntries.reduce(0) { $0 + Self.estimate($1.description) }
  }

  private static func estimate(_ text: String) -> Int { (text.utf8.count + 2) / 3 }
}
