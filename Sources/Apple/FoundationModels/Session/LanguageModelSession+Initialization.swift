extension LanguageModelSession {
  /// A conversation that begins with a text's instructions.
  @_disfavoredOverload
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [], instructions: String? = nil
  ) {
    self.init(model: model, tools: tools, instructions: instructions.map { Instructions($0) })
  }

  /// A conversation that begins with instructions that are put together.
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [],
    @InstructionsBuilder instructions: () throws -> Instructions
  ) rethrows {
    self.init(model: model, tools: tools, instructions: try instructions())
  }

  /// A conversation that begins with instructions.
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [], instructions: Instructions? = nil
  ) {
    var entries: [Transcript.Entry] = []
    if instructions != nil || !tools.isEmpty {
      let segments = instructions.map { [Transcript.Segment.text(.init(content: $0.text))] } ?? []
      entries.append(
        .instructions(
          .init(segments: segments, toolDefinitions: tools.map { Transcript.ToolDefinition(tool: $0) })))
    }
    self.init(model: model, tools: tools, entries: entries)
  }

  /// A conversation that goes on.
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [], transcript: Transcript
  ) {
    self.init(model: model, tools: tools, entries: Array(transcript))
  }
}
