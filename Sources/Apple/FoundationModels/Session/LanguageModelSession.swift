import Foundation
import Observation
import Synchronization

/// A conversation with a language model. It answers one request at a time.
///
/// ```swift
/// let session = LanguageModelSession(instructions: "Answer in one word.")
/// let answer = try await session.respond(to: "What barks?").content
/// ```
///
/// Cancelling the task that waits for an answer ends the request at once. On Linux the plain `Sendable` holds where
/// Apple's is unchecked.
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

  /// What was said. It grows with every turn; a turn that fails leaves nothing.
  final public var transcript: Transcript {
    observers.access(self, keyPath: \.transcript)
    return state.withLock { $0.transcript }
  }

  /// Whether an answer is under way.
  final public var isResponding: Bool {
    observers.access(self, keyPath: \.isResponding)
    return state.withLock { $0.isResponding }
  }

  /// Begins a turn.
  /// - Returns: the transcript before it.
  /// - Throws: `GenerationError.concurrentRequests` if one is under way.
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

  /// Ends a turn.
  /// - Parameter transcript: what stands in place of the transcript, if the turn failed.
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

  /// Makes the model ready for a prompt. On Linux the server has it ready, and nothing is sent.
  final public func prewarm(promptPrefix: Prompt? = nil) {}
}

extension LanguageModelSession: nonisolated Observable {}
