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
    /// Whether the program has set the transcript during the request.
    var wasChanged = false
    var policy: TranscriptErrorHandlingPolicy?
    var usage = Usage()
  }

  let model: any LanguageModel
  let tools: [any Tool]
  /// Whether errors are those of 2026: the session was made for any model.
  let throwsRenewedErrors: Bool
  private let state: Mutex<State>
  private let observers = ObservationRegistrar()

  init(
    model: any LanguageModel, tools: [any Tool], entries: [Transcript.Entry],
    throwsRenewedErrors: Bool = false
  ) {
    self.model = model
    self.tools = tools
    self.throwsRenewedErrors = throwsRenewedErrors
    state = Mutex(State(transcript: Transcript(entries: entries)))
  }

  /// All entries so far. A request that fails leaves no entries, unless `transcriptErrorHandlingPolicy` says so.
  ///
  /// It may be set between requests. If it is set during one, that request throws `Error.transcriptMutationWhileResponding`.
  final public var transcript: Transcript {
    get {
      observers.access(self, keyPath: \.transcript)
      return state.withLock { $0.transcript }
    }
    set {
      observers.withMutation(of: self, keyPath: \.transcript) {
        state.withLock {
          $0.transcript = newValue
          $0.wasChanged = $0.isResponding
        }
      }
    }
  }

  /// Whether the session is answering a request.
  final public var isResponding: Bool {
    observers.access(self, keyPath: \.isResponding)
    return state.withLock { $0.isResponding }
  }

  /// What remains in the transcript of a request that failed; nil for nothing.
  final public var transcriptErrorHandlingPolicy: TranscriptErrorHandlingPolicy? {
    get { state.withLock { $0.policy } }
    set { state.withLock { $0.policy = newValue } }
  }

  /// The tokens of all requests that were answered.
  final public var usage: Usage { state.withLock { $0.usage } }

  var keepsFailures: Bool { transcriptErrorHandlingPolicy?.keepsEntries ?? false }

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
        state.wasChanged = false
        return state.transcript
      }
    }
  }

  /// Adds an entry of the request.
  /// - Throws: `Error.transcriptMutationWhileResponding`.
  func append(_ entry: Transcript.Entry) throws {
    try observers.withMutation(of: self, keyPath: \.transcript) {
      try state.withLock { state in
        guard !state.wasChanged else { throw Error.transcriptMutationWhileResponding }
        state.transcript.append(entry)
      }
    }
  }

  /// The transcript with the entries of the request.
  /// - Throws: `Error.transcriptMutationWhileResponding`.
  func unchangedTranscript() throws -> Transcript {
    try state.withLock { state in
      guard !state.wasChanged else { throw Error.transcriptMutationWhileResponding }
      return state.transcript
    }
  }

  /// Ends a request.
  /// - Parameter transcript: the transcript to restore if the request failed.
  func end(restoring transcript: Transcript?, adding usage: Usage = Usage()) {
    state.withLock { $0.usage = $0.usage + usage }
    if let transcript {
      observers.withMutation(of: self, keyPath: \.transcript) {
        state.withLock { $0.transcript = transcript }
      }
    }
    observers.withMutation(of: self, keyPath: \.isResponding) {
      state.withLock { $0.isResponding = false }
    }
  }

  /// Prepares the model for a prompt. Does nothing on Linux for `SystemLanguageModel`, whose server keeps the model loaded.
  final public func prewarm(promptPrefix: Prompt? = nil) {
    var transcript = transcript
    if let promptPrefix {
      transcript.append(.prompt(.init(segments: [.text(.init(content: promptPrefix.text))])))
    }
    prewarm(model, transcript)
  }

  private func prewarm<Model: LanguageModel>(_ model: Model, _ transcript: Transcript) {
    // Where there is no executor, the request will say why.
    try? model.executor.prewarm(model: model, transcript: transcript)
  }
}

/// What remains in a session's transcript of a request that failed.
public struct TranscriptErrorHandlingPolicy: Sendable {
  let keepsEntries: Bool

  /// Nothing: the transcript is as it was before the request.
  public static let revertTranscript = TranscriptErrorHandlingPolicy(keepsEntries: false)
  /// The entries so far.
  public static let preserveTranscript = TranscriptErrorHandlingPolicy(keepsEntries: true)
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
    self.init(model: model, tools: tools, entries: Self.entries(instructions, tools))
  }

  private static func entries(_ instructions: Instructions?, _ tools: [any Tool]) -> [Transcript.Entry] {
    guard instructions != nil || !tools.isEmpty else { return [] }
    let segments = instructions.map { [Transcript.Segment.text(.init(content: $0.text))] } ?? []
    return [
      .instructions(
        .init(segments: segments, toolDefinitions: tools.map { Transcript.ToolDefinition(tool: $0) }))
    ]
  }

  /// Creates a session with any model, and with instructions from a text.
  @_disfavoredOverload
  public convenience init(
    model: some LanguageModel, tools: [any Tool] = [], instructions: String? = nil
  ) {
    self.init(model: model, tools: tools, instructions: instructions.map { Instructions($0) })
  }

  /// Creates a session with any model, and with instructions from a builder.
  public convenience init<Failure>(
    model: some LanguageModel, tools: [any Tool] = [],
    @InstructionsBuilder instructions: () throws(Failure) -> Instructions
  ) throws(Failure) where Failure: Swift.Error {
    self.init(model: model, tools: tools, instructions: try instructions())
  }

  /// Creates a session with any model, and with instructions.
  public convenience init(
    model: some LanguageModel, tools: [any Tool] = [], instructions: Instructions? = nil
  ) {
    self.init(
      model: model, tools: tools, entries: Self.entries(instructions, tools), throwsRenewedErrors: true)
  }

  /// Creates a session with any model that continues a transcript.
  public convenience init(model: some LanguageModel, tools: [any Tool] = [], transcript: Transcript) {
    self.init(model: model, tools: tools, entries: Array(transcript), throwsRenewedErrors: true)
  }

  /// Creates a session that continues a transcript.
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [], transcript: Transcript
  ) {
    self.init(model: model, tools: tools, entries: Array(transcript))
  }
}
