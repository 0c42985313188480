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
    /// What the model got beside the prompt. `Codable` leaves it out.
    public var contextOptions: ContextOptions
    /// What the program gave with the request. `Codable` leaves it out.
    public var metadata: [String: GeneratedContent]

    /// Creates a prompt.
    public init(
      id: String = UUID().uuidString, segments: [Segment], options: GenerationOptions = GenerationOptions(),
      responseFormat: ResponseFormat? = nil
    ) {
      self.init(
        id: id, metadata: [:], segments: segments, options: options, responseFormat: responseFormat)
    }

    /// Creates a prompt with what came beside it.
    public init(
      id: String = UUID().uuidString, metadata: [String: any ConvertibleToGeneratedContent] = [:],
      segments: [Segment], options: GenerationOptions = GenerationOptions(),
      responseFormat: ResponseFormat? = nil, contextOptions: ContextOptions = ContextOptions()
    ) {
      self.id = id
      self.metadata = metadata.contents
      self.segments = segments
      self.options = options
      self.responseFormat = responseFormat
      self.contextOptions = contextOptions
    }
  }

  /// The requested form of an answer.
  public struct ResponseFormat: Sendable, Equatable {
    /// What a form is.
    public enum Kind: Sendable, Equatable {
      /// A value that follows a schema.
      case schema(GenerationSchema)

      /// Whether both describe the same form.
      public static func == (first: Kind, second: Kind) -> Bool {
        switch (first, second) {
        case (.schema(let first), .schema(let second)): first.document() == second.document()
        }
      }
    }

    let schema: GenerationSchema

    /// What the form is.
    public var kind: Kind { .schema(schema) }

    /// The name of the schema.
    public var name: String { schema.name }

    /// Creates the form of a type.
    public init<Content>(type: Content.Type) where Content: Generable { schema = type.generationSchema }

    /// Creates the form of a schema.
    public init(schema: GenerationSchema) { self.schema = schema }

    /// Whether both describe the same form.
    public static func == (first: ResponseFormat, second: ResponseFormat) -> Bool {
      first.kind == second.kind
    }
  }

  /// What a model thought before an answer.
  public struct Reasoning: Sendable, Identifiable, Equatable {
    /// The identity of the entry.
    public var id: String
    /// The thoughts.
    public var segments: [Segment]
    /// By which the model knows its thoughts again.
    public var signature: Data?
    /// What the model's executor added. `Codable` leaves it out.
    public var metadata: [String: GeneratedContent]

    /// Creates an entry.
    public init(
      id: String = UUID().uuidString, metadata: [String: any ConvertibleToGeneratedContent] = [:],
      segments: [Segment], signature: Data? = nil
    ) {
      self.id = id
      self.metadata = metadata.contents
      self.segments = segments
      self.signature = signature
    }
  }

  /// An answer of the model.
  public struct Response: Sendable, Identifiable, Equatable {
    /// The identity of the entry.
    public var id: String
    /// The models that answered. On Linux, the server's name for its model.
    public var assetIDs: [String]
    /// What the model's executor added. `Codable` leaves it out.
    public let metadata: [String: GeneratedContent]
    /// The answer.
    public var segments: [Segment]

    /// Creates an answer.
    public init(id: String = UUID().uuidString, assetIDs: [String], segments: [Segment]) {
      self.init(id: id, assetIDs: assetIDs, metadata: [:], segments: segments)
    }

    /// Creates an answer with metadata.
    public init(
      id: String = UUID().uuidString, metadata: [String: any ConvertibleToGeneratedContent] = [:],
      segments: [Segment]
    ) {
      self.init(id: id, assetIDs: [], metadata: metadata, segments: segments)
    }

    init(
      id: String = UUID().uuidString, assetIDs: [String],
      metadata: [String: any ConvertibleToGeneratedContent], segments: [Segment]
    ) {
      self.id = id
      self.assetIDs = assetIDs
      self.metadata = metadata.contents
      self.segments = segments
    }
  }
}
