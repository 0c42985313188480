import Foundation
import Speech

/// One recognition task of a rolling engine: tells what the framework calls back with, in its order.
final class RollingTask: NSObject, SFSpeechRecognitionTaskDelegate, Sendable {
  /// What a task tells; times are seconds from the start of its sound.
  enum News: Sendable {
    /// What has been heard so far of speech that goes on.
    case partial(Candidate)
    /// What was said, the best first.
    case final([Candidate])
    /// It has come so far.
    case processed(TimeInterval)
    /// It has ended, with this error.
    case ended((any Error)?)
  }

  private let receive: @Sendable (News) -> Void

  /// - Parameter receive: called on the recognizer's queue.
  init(receive: @escaping @Sendable (News) -> Void) { self.receive = receive }

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
