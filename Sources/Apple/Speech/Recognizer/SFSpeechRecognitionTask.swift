import RecognitionCore
import Foundation
import RecognitionProtocol
import Synchronization

/// A running recognition, made by `SFSpeechRecognizer`. It continues without a reference to it.
open class SFSpeechRecognitionTask: NSObject {
  /// How many hypotheses the service is asked for.
  static let alternatives = 10

  private struct Progress {
    var state = SFSpeechRecognitionTaskState.starting
    var isFinishing = false
    var isCancelled = false
    var error: (any Error)?
    var recognition: (any Recognition)?
    var hasRecognizedWords = false
    var failures: [Range<TimeInterval>] = []
    var failureReason = ""

    /// Why a recognition that reached its end was no success.
    var problem: (any Error)? {
      if !failures.isEmpty { return RecognitionError.failed(failures, reason: failureReason) }
      return hasRecognizedWords ? nil : RecognitionError.noSpeech
    }
  }

  private let progress = Mutex(Progress())
  /// Only on the callback queue.
  private let adapter: (any RecognitionResultAdapter)?
  private let style: TranscriptionStyle
  private let callbacks: CallbackQueue
  private let takesAudioToItsEnd: Bool

  /// A task that does nothing, for subclasses.
  public override init() {
    adapter = nil
    style = TranscriptionStyle()
    callbacks = CallbackQueue(.main)
    takesAudioToItsEnd = true
    super.init()
  }

  init(
    request: SFSpeechRecognitionRequest, recognizer: SFSpeechRecognizer, adapter: any RecognitionResultAdapter
  ) {
    let hint = recognizer.defaultTaskHint
    self.adapter = adapter
    let model = Result { try recognizer.model ?? SpeechModel.required(for: recognizer.locale) }
    style = request.style(defaultHint: hint).adapted(to: recognizer.locale).adapted(to: try? model.get())
    callbacks = CallbackQueue(recognizer.queue)
    takesAudioToItsEnd = request is SFSpeechURLRecognitionRequest
    super.init()
    let configuration: ServiceConfiguration
    do {
      let locale = recognizer.locale.identifier(.bcp47)
      let attachment = try request.attachedModel?.attachment(locale: locale)
      let model = try model.get()
      configuration = ServiceConfiguration(
        locale: locale, model: model.reference,
        mode: request is SFSpeechURLRecognitionRequest ? .recording : .stream,
        alternatives: Self.alternatives, contextualStrings: request.likelyPhrases(defaultHint: hint),
        languageModel: model.usesLanguageModels ? attachment : nil)
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
          AudioFileReader.opening(request.url), configuration: configuration, pool: recognizer.pool,
          emit: emit))
    case let request as SFSpeechAudioBufferRecognitionRequest:
      let stream = StreamRecognition(configuration: configuration, pool: recognizer.pool, emit: emit)
      begin(stream)
      request.attach(stream)
    default:
      handle(.ended(SFSpeechError(.missingParameter)))
    }
  }

  /// How far the task has come.
  open var state: SFSpeechRecognitionTaskState { progress.withLock(\.state) }
  /// Whether no more audio is taken.
  open var isFinishing: Bool { progress.withLock(\.isFinishing) }
  /// Whether the task was cancelled.
  open var isCancelled: Bool { progress.withLock(\.isCancelled) }
  /// Why the task failed; nil if it did not. Domains and codes are those that Apple documents for tasks, such
  /// as `kAFAssistantErrorDomain` 1110 when there was no speech.
  open var error: (any Error)? { progress.withLock(\.error) }

  /// Takes no more audio. The audio so far is still recognized. A file is always read to its end.
  open func finish() {
    guard !takesAudioToItsEnd else { return }
    progress.withLock(\.recognition)?.finish()
  }

  /// Stops at once. The client is notified of the cancellation and of nothing else. No effect after the end.
  open func cancel() {
    let recognition = progress.withLock { progress -> (any Recognition)?? in
      guard progress.state != .completed, !progress.isCancelled else { return nil }
      progress.isCancelled = true
      progress.isFinishing = true
      progress.state = .canceling
      progress.error = RecognitionError.cancelled
      return .some(progress.recognition)
    }
    guard let recognition else { return }
    recognition?.cancel()
    let box = UncheckedBox(value: self)
    callbacks.call {
      let task = box.value
      task.progress.withLock { progress in
        progress.state = .completed
        progress.recognition = nil
      }
      task.adapter?.receiveCancellation(RecognitionError.cancelled, of: task)
    }
  }

  private func begin(_ recognition: any Recognition) {
    progress.withLock { progress in
      progress.recognition = recognition
      progress.state = .running
    }
    recognition.start()
  }

  /// Takes one event after another, on the recognition's event queue.
  private func handle(_ event: RecognitionEvent) {
    switch event {
    case .audioEnded:
      progress.withLock { progress in
        progress.isFinishing = true
        if progress.state == .running { progress.state = .finishing }
      }
    case .utterance(let utterance):
      if !utterance.candidates.isEmpty { progress.withLock { $0.hasRecognizedWords = true } }
    case .failure(let samples, let reason):
      let rate = Double(SpeechSegmenter.sampleRate)
      progress.withLock { progress in
        progress.failures.append(Double(samples.lowerBound) / rate..<Double(samples.upperBound) / rate)
        progress.failureReason = reason
      }
    case .ended(let error):
      return end(
        progress.withLock { progress in
          error.map { RecognitionError.error($0, after: progress.failures) } ?? progress.problem
        })
    case .speechDetected, .hypothesis, .decoded, .processed, .flushed:
      break
    }
    let box = UncheckedBox(value: self)
    callbacks.call {
      let task = box.value
      guard !task.isCancelled else { return }
      task.adapter?.receive(event, of: task, style: task.style)
    }
  }

  private func end(_ error: (any Error)?) {
    let box = UncheckedBox(value: self)
    callbacks.call {
      let task = box.value
      let isWanted = task.progress.withLock { progress in
        guard !progress.isCancelled else { return false }
        progress.isFinishing = true
        progress.error = error
        progress.state = .completed
        progress.recognition = nil
        return true
      }
      if isWanted { task.adapter?.receiveEnd(error, of: task, style: task.style) }
    }
  }
}

/// How far a task has come.
public enum SFSpeechRecognitionTaskState: Int, Sendable {
  /// It has not begun.
  case starting = 0
  /// It takes audio and reports results.
  case running = 1
  /// It takes no more audio. Results may still come.
  case finishing = 2
  /// No more results come; audio may still be recorded.
  case canceling = 3
  /// It has ended.
  case completed = 4
}
