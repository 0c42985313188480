import Foundation
import Synchronization

/// A model that sessions can use in place of `SystemLanguageModel`. Its executor sends requests to it.
///
/// ```swift
/// import FoundationModels
///
/// struct Echo: LanguageModel {
///   struct Executor: LanguageModelExecutor {
///     struct Configuration: Hashable, Sendable {}
///     init(configuration: Configuration) {}
///
///     func respond(
///       to request: LanguageModelExecutorGenerationRequest, model: Echo,
///       streamingInto channel: LanguageModelExecutorGenerationChannel
///     ) async throws {
///       let question = request.transcript.last?.description ?? ""
///       await channel.send(.response(action: .appendText(question, tokenCount: 1)))
///     }
///   }
///
///   var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }
///   var executorConfiguration: Executor.Configuration { .init() }
/// }
///
/// print(try await LanguageModelSession(model: Echo()).respond(to: "Is anybody there?").content)
/// ```
public protocol LanguageModel: Sendable {
  /// The type that sends requests to the model.
  associatedtype Executor: LanguageModelExecutor where Self == Self.Executor.Model

  /// What the model can do. A session throws `LanguageModelError.unsupportedCapability` for anything else.
  var capabilities: LanguageModelCapabilities { get }
  /// What an executor needs to know. Sessions whose models have equal configurations share an executor.
  var executorConfiguration: Self.Executor.Configuration { get }
}

/// Sends a session's requests to a model, and the model's answers back.
public protocol LanguageModelExecutor: Sendable {
  /// What distinguishes one executor from another.
  associatedtype Configuration: Hashable, Sendable
  /// The model.
  associatedtype Model: LanguageModel

  /// Creates an executor.
  init(configuration: Self.Configuration) throws

  /// Prepares for a request that continues a transcript. Called by `LanguageModelSession.prewarm(promptPrefix:)`.
  func prewarm(model: Self.Model, transcript: Transcript)

  /// Sends a request and passes on the answer, in parts as they arrive. The session calls the tools itself, and then this again.
  nonisolated(nonsending) func respond(
    to request: LanguageModelExecutorGenerationRequest, model: Self.Model,
    streamingInto channel: LanguageModelExecutorGenerationChannel
  ) async throws
}

extension LanguageModelExecutor {
  /// Does nothing.
  public func prewarm(model: Self.Model, transcript: Transcript) {}
}

/// What a model can do.
public struct LanguageModelCapabilities: Sendable {
  /// Something that a model may be able to do.
  public struct Capability: Sendable, Hashable {
    let name: String

    /// Understands images.
    public static var vision: Capability { .init(name: "images") }
    /// Keeps to a schema.
    public static var guidedGeneration: Capability { .init(name: "guided generation") }
    /// Thinks before it answers.
    public static var reasoning: Capability { .init(name: "reasoning") }
    /// Calls tools.
    public static var toolCalling: Capability { .init(name: "tool calling") }
  }

  private let capabilities: Set<Capability>

  /// Creates a set.
  public init(_ capabilities: [Capability]) { self.capabilities = Set(capabilities) }

  /// Whether the model can do something.
  public func contains(_ capability: Capability) -> Bool { capabilities.contains(capability) }
}

/// A request to a model: a transcript that ends with a prompt or a tool's output.
public struct LanguageModelExecutorGenerationRequest: Sendable {
  /// The identity of the request.
  public var id: UUID
  /// The conversation that the model continues.
  public var transcript: Transcript
  /// The tools that the model may call.
  public var enabledToolDefinitions: [Transcript.ToolDefinition]
  /// The schema of the answer; nil for text.
  public var schema: GenerationSchema?
  /// How the model chooses its words.
  public var generationOptions: GenerationOptions
  /// What the model gets beside the prompt.
  public var contextOptions: ContextOptions
  /// What the program gave with the request.
  public var metadata: [String: GeneratedContent]

  /// Creates a request.
  public init(
    id: UUID, transcript: Transcript, enabledTools: [Transcript.ToolDefinition],
    schema: GenerationSchema? = nil, generationOptions: GenerationOptions, contextOptions: ContextOptions,
    metadata: [String: any ConvertibleToGeneratedContent]
  ) {
    self.id = id
    self.transcript = transcript
    enabledToolDefinitions = enabledTools
    self.schema = schema
    self.generationOptions = generationOptions
    self.contextOptions = contextOptions
    self.metadata = metadata.contents
  }
}

extension LanguageModel {
  /// The executor for the model's configuration: a new one, or the one that others with this configuration have.
  var executor: Executor { get throws { try Executors.shared.executor(for: self) } }

  /// Sends a request and waits for the whole answer, or for the end of the caller's task.
  /// - Parameter report: called with the text so far whenever it grows.
  func answer(
    _ request: LanguageModelExecutorGenerationRequest, report: (String) -> Void
  ) async throws -> ChatReply {
    let executor = try executor
    let channel = LanguageModelExecutorGenerationChannel()
    let responding = Task {
      do {
        try await executor.respond(to: request, model: self, streamingInto: channel)
        channel.finish(nil)
      } catch {
        channel.finish(error)
      }
    }
    // An executor that does not notice keeps nobody waiting.
    defer { responding.cancel() }
    var assembly = ReplyAssembly()
    for try await event in channel where assembly.take(event) { report(assembly.reply.text) }
    try Task.checkCancellation()
    return assembly.reply
  }
}

/// The executors in use: the latest few.
private final class Executors: Sendable {
  static let shared = Executors()
  private static let limit = 16

  private struct Known: Sendable {
    let configuration: any Hashable & Sendable
    let executor: any LanguageModelExecutor
  }

  private let known = Mutex<[Known]>([])

  func executor<Model: LanguageModel>(for model: Model) throws -> Model.Executor {
    let configuration = model.executorConfiguration
    return try known.withLock { known in
      for (index, entry) in known.enumerated() {
        guard let executor = entry.executor as? Model.Executor,
          entry.configuration as? Model.Executor.Configuration == configuration
        else { continue }
        known.append(known.remove(at: index))
        return executor
      }
      let executor = try Model.Executor(configuration: configuration)
      known.append(Known(configuration: configuration, executor: executor))
      if known.count > Self.limit { known.removeFirst() }
      return executor
    }
  }
}
