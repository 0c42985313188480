@testable import RecognitionCore
import Foundation

@testable import Speech

/// Follows one recognition task in either form, and lets a test wait for its end.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class TaskRecorder: NSObject, SFSpeechRecognitionTaskDelegate, @unchecked Sendable {
  enum Call: Equatable {
    case detected, hypothesis(String), final(String), finishedReading, cancelled, finished(Bool), processed(
      Double)
  }

  private let model: TestedModel
  private let pool: SpeechServicePool?
  private let lock = NSLock()
  private let done = DispatchSemaphore(value: 0)
  private var recordedCalls: [Call] = []
  private var recordedResults: [SFSpeechRecognitionResult] = []
  private var recordedErrors: [any Error] = []
  private var endings = 0

  /// - Parameters:
  ///   - model: by which the tasks recognize.
  ///   - pool: where services come from, if not from where all others do.
  init(_ model: TestedModel = .embedded, pool: SpeechServicePool? = nil) {
    (self.model, self.pool) = (model, pool)
  }

  var calls: [Call] { locked { recordedCalls } }
  var results: [SFSpeechRecognitionResult] { locked { recordedResults } }
  var errors: [any Error] { locked { recordedErrors } }
  var finals: [SFSpeechRecognitionResult] { results.filter(\.isFinal) }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  private func add(_ call: Call) { locked { recordedCalls.append(call) } }

  /// A recognizer whose callbacks come on a queue of their own.
  private func recognizer() -> SFSpeechRecognizer? {
    let recognizer = SFSpeechRecognizer(locale: Locale(identifier: "en-US"))
    recognizer?.queue = OperationQueue()
    if let pool { recognizer?.pool = pool }
    recognizer?.model = model.speechModel
    return recognizer
  }

  /// Starts a task in the form with a handler.
  func start(_ request: SFSpeechRecognitionRequest) throws -> SFSpeechRecognitionTask {
    guard let recognizer = recognizer() else { throw CocoaError(.featureUnsupported) }
    return recognizer.recognitionTask(with: request) { [self] result, error in
      locked {
        if let result { recordedResults.append(result) }
        if let error { recordedErrors.append(error) }
      }
      if error != nil || result?.isFinal == true { done.signal() }
    }
  }

  /// Starts a task in the form with a delegate.
  func follow(_ request: SFSpeechRecognitionRequest) throws -> SFSpeechRecognitionTask {
    guard let recognizer = recognizer() else { throw CocoaError(.featureUnsupported) }
    return recognizer.recognitionTask(with: request, delegate: self)
  }

  /// Waits for the end; false if it does not come.
  func wait(seconds: Double = 300) -> Bool { done.wait(timeout: .now() + seconds) == .success }

  func speechRecognitionDidDetectSpeech(_ task: SFSpeechRecognitionTask) { add(.detected) }
  func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didHypothesizeTranscription transcription: SFTranscription
  ) { add(.hypothesis(transcription.formattedString)) }
  func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didFinishRecognition recognitionResult: SFSpeechRecognitionResult
  ) {
    add(.final(recognitionResult.bestTranscription.formattedString))
    locked { recordedResults.append(recognitionResult) }
  }
  func speechRecognitionTaskFinishedReadingAudio(_ task: SFSpeechRecognitionTask) { add(.finishedReading) }
  func speechRecognitionTaskWasCancelled(_ task: SFSpeechRecognitionTask) { add(.cancelled) }
  func speechRecognitionTask(_ task: SFSpeechRecognitionTask, didFinishSuccessfully successfully: Bool) {
    add(.finished(successfully))
    done.signal()
  }
  func speechRecognitionTask(_ task: SFSpeechRecognitionTask, didProcessAudioDuration duration: TimeInterval)
  {
    add(.processed(duration))
  }
}
