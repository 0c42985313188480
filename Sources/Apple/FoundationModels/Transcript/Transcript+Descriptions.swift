extension Transcript.Entry: CustomStringConvertible {
  /// The role and the text of the entry.
  public var description: String {
    switch self {
    case .instructions(let entry): entry.description
    case .prompt(let entry): entry.description
    case .toolCalls(let entry): entry.description
    case .toolOutput(let entry): entry.description
    case .response(let entry): entry.description
    case .reasoning(let entry): entry.description
    }
  }
}

extension Transcript.Segment: CustomStringConvertible {
  /// The text, or the value as JSON.
  public var description: String { text }
}

extension Transcript.TextSegment: CustomStringConvertible {
  /// The text.
  public var description: String { content }
}

extension Transcript.StructuredSegment: CustomStringConvertible {
  /// The value as JSON.
  public var description: String { content.jsonString }
}

extension Transcript.Instructions: CustomStringConvertible {
  /// The instructions and the names of the tools.
  public var description: String {
    let tools = toolDefinitions.isEmpty ? "" : " [\(toolDefinitions.map(\.name).joined(separator: ", "))]"
    return "(Instructions) \(segments.text)\(tools)"
  }
}

extension Transcript.Prompt: CustomStringConvertible {
  /// The text of the prompt.
  public var description: String { "(Prompt) \(segments.text)" }
}

extension Transcript.ResponseFormat: CustomStringConvertible {
  /// The name of the schema.
  public var description: String { name }
}

extension Transcript.ToolCalls: CustomStringConvertible {
  /// The calls.
  public var description: String { "(Tool calls) " + map(\.description).joined(separator: ", ") }
}

extension Transcript.ToolCall: CustomStringConvertible {
  /// The name of the tool and the arguments.
  public var description: String { "\(toolName)(\(arguments.jsonString))" }
}

extension Transcript.ToolOutput: CustomStringConvertible {
  /// The name of the tool and its output.
  public var description: String { "(Tool output) \(toolName): \(segments.text)" }
}

extension Transcript.Reasoning: CustomStringConvertible {
  /// What the model thought.
  public var description: String { "(Reasoning) \(segments.text)" }
}

extension Transcript.Response: CustomStringConvertible {
  /// The answer.
  public var description: String { "(Response) \(segments.text)" }
}
