import Foundation
import LonghandTranscripts
import Speech

/// One recognition task of a rolling engine: passes on the framework's callbacks as events, in their order.
final class RollingTask: NSObject, SFSpeechRecognitionTaskDelegate, Sendable {
  /// What a task reports; times are seconds from the start of its audio.
  enum Event: Sendable {
    /// The text so far, which may still change.
    case partial(Candidate)
    /// A final result, the best candidate first.
    case final([Candidate])
    /// The task has processed so many seconds.
    case processed(TimeInterval)
    /// The task has ended, with this error.
    case ended((any Error)?)
  }

  private let receive: @Sendable (Event) -> Void

  /// - Parameter receive: called on the recognizer's queue.
  init(receive: @escaping @Sendable (Event) -> Void) { self.receive = receive }

  func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didHypothesizeTranscription transcription: SFTranscription
  ) { receive(.partial(Candidate(transcription))) }

  func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didFinishRecognition recognitionResult: SFSpeechRecognitionResult
  ) { receive(.final(recognitionResult.transcriptions.map(Candidate.init))) }

  func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didProcessAudioDuration duration: TimeInterval
  ) { receive(.processed(duration)) }

  func speechRecognitionTask(_ task: SFSpeechRecognitionTask, didFinishSuccessfully successfully: Bool) {
    receive(.ended(successfully ? nil : task.error ?? CancellationError()))
  }
}
