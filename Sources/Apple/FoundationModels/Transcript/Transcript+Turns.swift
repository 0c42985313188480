import Foundation

extension Transcript {
  /// What the model keeps to.
  public struct Instructions: Sendable, Identifiable, Equatable {
    /// The turn's identity.
    public var id: String
    /// The instructions.
    public var segments: [Segment]
    /// The tools that it may use.
    public var toolDefinitions: [ToolDefinition]

    /// Instructions.
    public init(
      id: String = UUID().uuidString, segments: [Segment], toolDefinitions: [ToolDefinition]
    ) {
      self.id = id
      self.segments = segments
      self.toolDefinitions = toolDefinitions
    }
  }

  /// What the model was asked.
  public struct Prompt: Sendable, Identifiable, Equatable {
    /// The turn's identity.
    public var id: String
    /// The question.
    public var segments: [Segment]
    /// How it was to choose its words.
    public var options: GenerationOptions
    /// What the answer was to look like; nil for text.
    public var responseFormat: ResponseFormat?

    /// A question.
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

  /// What an answer was to look like.
  public struct ResponseFormat: Sendable, Equatable {
    let schema: GenerationSchema

    /// The schema's name.
    public var name: String { schema.name }

    /// A type.
    public init<Content>(type: Content.Type) where Content: Generable { schema = type.generationSchema }

    /// A schema.
    public init(schema: GenerationSchema) { self.schema = schema }

    /// Whether they ask for the same.
    public static func == (first: ResponseFormat, second: ResponseFormat) -> Bool {
      first.schema.document() == second.schema.document()
    }
  }

  /// What the model answered.
  public struct Response: Sendable, Identifiable, Equatable {
    /// The turn's identity.
    public var id: String
    /// The models that answered. On Linux the server's name for its model.
    public var assetIDs: [String]
    /// The answer.
    public var segments: [Segment]

    /// An answer.
    public init(id: String = UUID().uuidString, assetIDs: [String], segments: [Segment]) {
      self.id = id
      self.assetIDs = assetIDs
      self.segments = segments
    }
  }
}
