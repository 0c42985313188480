import Foundation
import SpeechServiceProtocol

/// A recognition that runs. Made by `SFSpeechRecognizer`; it goes on when nobody holds it.
open class SFSpeechRecognitionTask: NSObject {
  /// The most readings that are asked for.
  static let alternatives = 10

  /// What callbacks and recognition threads share.
  ///
  /// `@unchecked Sendable`: `lock` guards what changes, but for `hasHeardWords` and the failures, which only
  /// the recognition's serial event queue uses, and `adapter`, which only the callback queue uses.
  private final class Shared: @unchecked Sendable {
    let lock = NSLock()
    var state = SFSpeechRecognitionTaskState.starting
    var isFinishing = false
    var isCancelled = false
    var error: (any Error)?
    var recognition: (any Recognition)?
    var hasHeardWords = false
    var failures: [Range<TimeInterval>] = []
    var failureReason = ""
    let adapter: (any RecognitionResultAdapter)?
    let style: TranscriptionStyle

    init(adapter: (any RecognitionResultAdapter)?, style: TranscriptionStyle) {
      self.adapter = adapter
      self.style = style
    }

    func locked<Result>(_ body: (Shared) -> Result) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return body(self)
    }
  }

  private let shared: Shared
  private let callbacks: CallbackQueue
  private let takesAudioToItsEnd: Bool

  /// A task that does nothing, for subclasses.
  public override init() {
    shared = Shared(adapter: nil, style: TranscriptionStyle())
    callbacks = CallbackQueue(.main)
    takesAudioToItsEnd = true
    super.init()
  }

  init(
    request: SFSpeechRecognitionRequest, recognizer: SFSpeechRecognizer, adapter: any RecognitionResultAdapter
  ) {
    let hint = recognizer.defaultTaskHint
    shared = Shared(adapter: adapter, style: request.style(defaultHint: hint))
    callbacks = CallbackQueue(recognizer.queue)
    takesAudioToItsEnd = request is SFSpeechURLRecognitionRequest
    super.init()
    var configuration = ServiceConfiguration(
      locale: recognizer.locale.identifier(.bcp47),
      mode: request is SFSpeechURLRecognitionRequest ? .recording : .stream,
      alternatives: Self.alternatives, contextualStrings: request.likelyPhrases(defaultHint: hint))
    do {
      configuration.languageModel = try request.attachedModel?.attachment(locale: configuration.locale)
    } catch {
      handle(.ended(error))
      return
    }
    let box = UncheckedBox(value: self)
    let emit: @Sendable (RecognitionEvent) -> Void = { box.value.handle($0) }
    switch request {
    case let request as SFSpeechURLRecognitionRequest:
      begin(
        RecordingRecognition(
          url: request.url, configuration: configuration, pool: recognizer.pool, emit: emit))
    case let request as SFSpeechAudioBufferRecognitionRequest:
      let stream = StreamRecognition(configuration: configuration, pool: recognizer.pool, emit: emit)
      begin(stream)
      request.attach(stream)
    default:
      handle(.ended(SFSpeechError(.missingParameter)))
    }
  }

  /// How far the task has come.
  open var state: SFSpeechRecognitionTaskState { shared.locked(\.state) }
  /// Whether no more audio is taken.
  open var isFinishing: Bool { shared.locked(\.isFinishing) }
  /// Whether the task was cancelled.
  open var isCancelled: Bool { shared.locked(\.isCancelled) }
  /// Why the task ended early; nil as long as all is well. Domains and codes are those that Apple documents for
  /// tasks, such as `kAFAssistantErrorDomain` 1110 when there was no speech.
  open var error: (any Error)? { shared.locked(\.error) }

  /// Takes no more audio; what was taken is still recognized. No effect on the recognition of a file, which is
  /// taken whole from the start.
  open func finish() {
    guard !takesAudioToItsEnd else { return }
    shared.locked(\.recognition)?.finish()
  }

  /// Stops at once; the client hears of nothing more but the cancellation. No effect after the end.
  open func cancel() {
    let isFirst = shared.locked { shared in
      guard shared.state != .completed, !shared.isCancelled else { return false }
      shared.isCancelled = true
      shared.isFinishing = true
      shared.state = .canceling
      shared.error = RecognitionError.cancelled
      return true
    }
    guard isFirst else { return }
    shared.locked(\.recognition)?.cancel()
    let box = UncheckedBox(value: self)
    callbacks.call {
      let task = box.value
      task.shared.locked { shared in
        shared.state = .completed
        shared.recognition = nil
      }
      task.shared.adapter?.receiveCancellation(RecognitionError.cancelled, of: task)
    }
  }

  private func begin(_ recognition: any Recognition) {
    shared.locked { shared in
      shared.recognition = recognition
      shared.state = .running
    }
    recognition.start()
  }

  /// Takes an event; only on the recognition's event queue.
  private func handle(_ event: RecognitionEvent) {
    switch event {
    case .audioEnded:
      shared.locked { shared in
        shared.isFinishing = true
        if shared.state == .running { shared.state = .finishing }
      }
    case .utterance(let utterance):
      if !utterance.candidates.isEmpty { shared.hasHeardWords = true }
    case .failure(let samples, let reason):
      let rate = Double(SpeechSegmenter.sampleRate)
      shared.failures.append(Double(samples.lowerBound) / rate..<Double(samples.upperBound) / rate)
      shared.failureReason = reason
    case .ended(let problem):
      return end(problem.map { RecognitionError.error($0, after: shared.failures) } ?? ownProblem)
    case .speechDetected, .hypothesis, .processed, .flushed:
      break
    }
    let box = UncheckedBox(value: self)
    callbacks.call {
      let task = box.value
      guard !task.isCancelled else { return }
      task.shared.adapter?.receive(event, of: task, style: task.shared.style)
    }
  }

  private var ownProblem: (any Error)? {
    if !shared.failures.isEmpty {
      return RecognitionError.failed(shared.failures, reason: shared.failureReason)
    }
    return shared.hasHeardWords ? nil : RecognitionError.noSpeech
  }

  private func end(_ error: (any Error)?) {
    let box = UncheckedBox(value: self)
    callbacks.call {
      let task = box.value
      let isWanted = task.shared.locked { shared in
        guard !shared.isCancelled else { return false }
        shared.isFinishing = true
        shared.error = error
        shared.state = .completed
        shared.recognition = nil
        return true
      }
      if isWanted { task.shared.adapter?.receiveEnd(error, of: task, style: task.shared.style) }
    }
  }
}
