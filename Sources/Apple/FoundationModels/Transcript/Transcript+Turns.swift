import Foundation

extension Transcript {
  /// Instructions for the whole session.
  public struct Instructions: Sendable, Identifiable, Equatable {
    /// The identity of the entry.
    public var id: String
    /// The instructions.
    public var segments: [Segment]
    /// The tools that the model may call.
    public var toolDefinitions: [ToolDefinition]

    /// Creates an entry with instructions.
    public init(
      id: String = UUID().uuidString, segments: [Segment], toolDefinitions: [ToolDefinition]
    ) {
      self.id = id
      self.segments = segments
      self.toolDefinitions = toolDefinitions
    }
  }

  /// A prompt.
  public struct Prompt: Sendable, Identifiable, Equatable {
    /// The identity of the entry.
    public var id: String
    /// The text of the prompt.
    public var segments: [Segment]
    /// The options of the request.
    public var options: GenerationOptions
    /// The form of the answer; nil for text.
    public var responseFormat: ResponseFormat?

    /// Creates a prompt.
    public init(
      id: String = UUID().uuidString, segments: [Segment], options: GenerationOptions = GenerationOptions(),
      responseFormat: ResponseFormat? = nil
    ) {
      self.id = id
      self.segments = segments
      self.options = options
      self.responseFormat = responseFormat
    }
  }

  /// The requested form of an answer.
  public struct ResponseFormat: Sendable, Equatable {
    let schema: GenerationSchema

    /// The name of the schema.
    public var name: String { schema.name }

    /// Creates the form of a type.
    public init<Content>(type: Content.Type) where Content: Generable { schema = type.generationSchema }

    /// Creates the form of a schema.
    public init(schema: GenerationSchema) { self.schema = schema }

    /// Whether both describe the same form.
    public static func == (first: ResponseFormat, second: ResponseFormat) -> Bool {
      first.schema.document() == second.schema.document()
    }
  }

  /// An answer of the model.
  public struct Response: Sendable, Identifiable, Equatable {
    /// The identity of the entry.
    public var id: String
    /// The models that answered. On Linux, the server's name for its model.
    public var assetIDs: [String]
    /// The answer.
    public var segments: [Segment]

    /// Creates an answer.
    public init(id: String = UUID().uuidString, assetIDs: [String], segments: [Segment]) {
      self.id = id
      self.assetIDs = assetIDs
      self.segments = segments
    }
  }
}
