#if os(Linux)
  import ChildProcesses
  import Foundation
  import ModelStorage
  import RecognitionProtocol
  import Synchronization

  /// Writes punctuation by a network that the user has installed, see `ModelProcess`. The process starts with the first
  /// text. After an error the next text gets another one, a few times.
  package final class NeuralPunctuator: Punctuator {
    /// Why a text was not written.
    package typealias Failure = ModelProcess.Failure

    /// Seconds that loading the network may take, and that each text may take.
    package typealias Patience = (loading: Double, text: Double)

    /// How many errors are tolerated.
    private static let maxFailures = 3
    /// The longest answer, for each byte of the text, and besides.
    private static let maxAnswer = (growth: 2, rest: 1000)

    private let model: InstalledModel
    private let service: String?
    private let patience: Patience
    private let state = Mutex(State())
    /// Only one text at a time.
    private let queue = DispatchQueue(label: "punctuation")

    private struct State {
      var process: ModelProcess?
      var failures = 0
    }

    /// The name of the model.
    package var name: String { model.name }
    /// A SHA-256 digest of its files, in lower-case hexadecimal digits.
    package var sha256: String { model.digest }

    /// The punctuator with the model that is installed; nil if none is.
    package static func installed(in store: ModelStore = ModelStore()) -> NeuralPunctuator? {
      store.punctuation().map { NeuralPunctuator($0) }
    }

    /// - Parameters:
    ///   - model: a model of the family `punctuation`.
    ///   - service: the path of the executable; nil if there is none.
    package init(
      _ model: InstalledModel, service: String? = Recognizer.sherpaOnnx.locator.find(),
      patience: Patience = (loading: 60, text: 10)
    ) {
      self.model = model
      self.service = service
      self.patience = patience
    }

    package func write(_ text: String) async throws -> String {
      try await withTaskCancellationHandler {
        // The threads of Swift's concurrency must not wait for a process.
        try await withCheckedThrowingContinuation { continuation in
          queue.async { continuation.resume(with: Result { try self.ask(text) }) }
        }
      } onCancel: {
        state.withLock { $0.process?.kill() }
      }
    }

    private func ask(_ text: String) throws -> String {
      let (known, failures) = state.withLock { ($0.process, $0.failures) }
      guard failures < Self.maxFailures else {
        throw Failure(description: "The model failed \(Self.maxFailures) times and is not asked any more.")
      }
      do {
        let process = try known ?? start()
        let seconds = patience.text + (known == nil ? patience.loading : 0)
        let answer = try process.ask(within: seconds) { try Self.answer(of: $0.channel, to: text, by: $1) }
        guard answer.utf8.count <= Self.maxAnswer.growth * text.utf8.count + Self.maxAnswer.rest else {
          throw Failure(description: "The model's answer is too long.")
        }
        return answer
      } catch {
        state.withLock { $0 = State(process: nil, failures: failures + 1) }
        throw error
      }
    }

    private func start() throws -> ModelProcess {
      let process = try ModelProcess(service, ["--punctuation", model.folder.path])
      state.withLock { $0.process = process }
      return process
    }

    private static func answer(
      of channel: ServiceChannel, to text: String, by deadline: ServiceDeadline
    ) throws -> String {
      try channel.send(ServiceText(text), by: deadline)
      let answer: ServiceText = try channel.receive(by: deadline)
      // More than one answer would be that to another text.
      guard !channel.hasInput else { throw ServiceChannelError.malformed("a second answer") }
      return answer.text
    }
  }
#endif
