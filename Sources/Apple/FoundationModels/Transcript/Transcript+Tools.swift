import Foundation

extension Transcript {
  /// What the model knows of a tool.
  public struct ToolDefinition: Sendable, Equatable {
    /// What it is called by.
    public var name: String
    /// What it is good for.
    public var description: String
    let parameters: GenerationSchema

    /// A tool that is not there.
    public init(name: String, description: String, parameters: GenerationSchema) {
      self.name = name
      self.description = description
      self.parameters = parameters
    }

    /// A tool.
    public init(tool: some Tool) {
      self.init(name: tool.name, description: tool.description, parameters: tool.parameters)
    }

    /// Whether the model knows the same of both.
    public static func == (first: ToolDefinition, second: ToolDefinition) -> Bool {
      first.name == second.name && first.description == second.description
        && first.parameters.document() == second.parameters.document()
    }
  }

  /// What the model asked of tools at once.
  public struct ToolCalls: Sendable, Identifiable, Equatable, RandomAccessCollection {
    /// What it is a list of.
    public typealias Element = ToolCall

    /// The turn's identity.
    public var id: String
    private let calls: [ToolCall]

    /// Calls.
    public init<S>(id: String = UUID().uuidString, _ calls: S) where S: Sequence, S.Element == ToolCall {
      self.id = id
      self.calls = Array(calls)
    }

    /// A call.
    public subscript(position: Int) -> ToolCall { calls[position] }

    /// The first call's index.
    public var startIndex: Int { calls.startIndex }

    /// The index behind the last call.
    public var endIndex: Int { calls.endIndex }
  }

  /// What the model asked of a tool.
  public struct ToolCall: Sendable, Identifiable, Equatable {
    /// The call's identity, which the tool's output bears too.
    public var id: String
    /// The tool.
    public var toolName: String
    /// What it said.
    public var arguments: GeneratedContent

    /// A call.
    public init(id: String, toolName: String, arguments: GeneratedContent) {
      self.id = id
      self.toolName = toolName
      self.arguments = arguments
    }
  }

  /// What a tool gave back.
  public struct ToolOutput: Sendable, Identifiable, Equatable {
    /// The call's identity.
    public var id: String
    /// The tool.
    public var toolName: String
    /// What it gave back.
    public var segments: [Segment]

    /// An output.
    public init(id: String, toolName: String, segments: [Segment]) {
      self.id = id
      self.toolName = toolName
      self.segments = segments
    }
  }
}
