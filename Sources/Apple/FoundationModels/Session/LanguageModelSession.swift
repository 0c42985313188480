import Foundation
import Observation
import Synchronization

/// A conversation with a language model. A session answers one request at a time and remembers all previous ones.
///
/// ```swift
/// import FoundationModels
///
/// let session = LanguageModelSession(instructions: "Answer in one word.")
/// print(try await session.respond(to: "What barks?").content)
/// for try await snapshot in session.streamResponse(to: "And what meows?") {
///   print(snapshot.content)
/// }
/// ```
///
/// Cancelling the task that waits for an answer ends the request immediately. On Linux the conformance to `Sendable` is
/// checked by the compiler.
final public class LanguageModelSession: Sendable {
  private struct State {
    var transcript: Transcript
    var isResponding = false
  }

  let model: SystemLanguageModel
  let tools: [any Tool]
  private let state: Mutex<State>
  private let observers = ObservationRegistrar()

  init(model: SystemLanguageModel, tools: [any Tool], entries: [Transcript.Entry]) {
    self.model = model
    self.tools = tools
    state = Mutex(State(transcript: Transcript(entries: entries)))
  }

  /// All entries so far. A request that fails leaves no entries.
  final public var transcript: Transcript {
    observers.access(self, keyPath: \.transcript)
    return state.withLock { $0.transcript }
  }

  /// Whether the session is answering a request.
  final public var isResponding: Bool {
    observers.access(self, keyPath: \.isResponding)
    return state.withLock { $0.isResponding }
  }

  /// Starts a request.
  /// - Returns: the transcript before the request.
  /// - Throws: `GenerationError.concurrentRequests` if another request is running.
  func begin() throws -> Transcript {
    try observers.withMutation(of: self, keyPath: \.isResponding) {
      try state.withLock { state in
        guard !state.isResponding else {
          throw GenerationError.concurrentRequests(
            .init(debugDescription: "A session answers one request at a time; see isResponding."))
        }
        state.isResponding = true
        return state.transcript
      }
    }
  }

  func append(_ entry: Transcript.Entry) {
    observers.withMutation(of: self, keyPath: \.transcript) {
      state.withLock { $0.transcript.append(entry) }
    }
  }

  /// Ends a request.
  /// - Parameter transcript: the transcript to restore if the request failed.
  func end(restoring transcript: Transcript?) {
    if let transcript {
      observers.withMutation(of: self, keyPath: \.transcript) {
        state.withLock { $0.transcript = transcript }
      }
    }
    observers.withMutation(of: self, keyPath: \.isResponding) {
      state.withLock { $0.isResponding = false }
    }
  }

  /// Prepares the model for a prompt. Does nothing on Linux, where the server keeps the model loaded.
  final public func prewarm(promptPrefix: Prompt? = nil) {}
}

extension LanguageModelSession: nonisolated Observable {}

extension LanguageModelSession {
  /// Creates a session with instructions from a text.
  @_disfavoredOverload
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [], instructions: String? = nil
  ) {
    self.init(model: model, tools: tools, instructions: instructions.map { Instructions($0) })
  }

  /// Creates a session with instructions from a builder.
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [],
    @InstructionsBuilder instructions: () throws -> Instructions
  ) rethrows {
    self.init(model: model, tools: tools, instructions: try instructions())
  }

  /// Creates a session with instructions.
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

  /// Creates a session that continues a transcript.
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [], transcript: Transcript
  ) {
    self.init(model: model, tools: tools, entries: Array(transcript))
  }
}
