import Foundation

extension Transcript {
  /// The description of a tool for the model.
  public struct ToolDefinition: Sendable, Equatable {
    /// The name that the model uses for the tool.
    public var name: String
    /// A description of the tool.
    public var description: String
    /// The schema of the arguments.
    public var parameters: GenerationSchema

    /// Creates a definition without a tool.
    public init(name: String, description: String, parameters: GenerationSchema) {
      self.name = name
      self.description = description
      self.parameters = parameters
    }

    /// Creates the definition of a tool.
    public init(tool: some Tool) {
      self.init(name: tool.name, description: tool.description, parameters: tool.parameters)
    }

    /// Whether both definitions describe the same tool.
    public static func == (first: ToolDefinition, second: ToolDefinition) -> Bool {
      first.name == second.name && first.description == second.description
        && first.parameters.document() == second.parameters.document()
    }
  }

  /// Calls that the model made at the same time.
  public struct ToolCalls: Sendable, Identifiable, Equatable, RandomAccessCollection {
    /// A call.
    public typealias Element = ToolCall

    /// The identity of the entry.
    public var id: String
    private let calls: [ToolCall]

    /// Creates an entry from calls.
    public init<S>(id: String = UUID().uuidString, _ calls: S) where S: Sequence, S.Element == ToolCall {
      self.id = id
      self.calls = Array(calls)
    }

    /// The call at a position.
    public subscript(position: Int) -> ToolCall { calls[position] }

    /// The index of the first call.
    public var startIndex: Int { calls.startIndex }

    /// The index after the last call.
    public var endIndex: Int { calls.endIndex }
  }

  /// A call of a tool by the model.
  public struct ToolCall: Sendable, Identifiable, Equatable {
    /// The identity of the call. The tool's output has the same.
    public var id: String
    /// The name of the tool.
    public var toolName: String
    /// The arguments from the model.
    public var arguments: GeneratedContent
    /// What the model's executor added. `Codable` leaves it out.
    public var metadata: [String: GeneratedContent]

    /// Creates a call.
    public init(id: String, toolName: String, arguments: GeneratedContent) {
      self.init(id: id, metadata: [:], toolName: toolName, arguments: arguments)
    }

    /// Creates a call with metadata.
    public init(
      id: String, metadata: [String: any ConvertibleToGeneratedContent], toolName: String,
      arguments: GeneratedContent
    ) {
      self.id = id
      self.metadata = metadata.contents
      self.toolName = toolName
      self.arguments = arguments
    }
  }

  /// The output of a tool.
  public struct ToolOutput: Sendable, Identifiable, Equatable {
    /// The identity of the call.
    public var id: String
    /// The name of the tool.
    public var toolName: String
    /// The output.
    public var segments: [Segment]

    /// Creates an output.
    public init(id: String, toolName: String, segments: [Segment]) {
      self.id = id
      self.toolName = toolName
      self.segments = segments
    }
  }
}
