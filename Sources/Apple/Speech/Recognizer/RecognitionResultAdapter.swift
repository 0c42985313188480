import RecognitionCore
import Foundation
import VoiceMeasurement

/// Calls a client back, in the form that the client chose.
///
/// A task uses it on the recognizer's queue only, for one event at a time.
protocol RecognitionResultAdapter: AnyObject {
  /// Reports an event other than the end.
  func receive(_ event: RecognitionEvent, of task: SFSpeechRecognitionTask, style: TranscriptionStyle)
  /// Reports the end. `error` is nil after a success.
  func receiveEnd(_ error: (any Error)?, of task: SFSpeechRecognitionTask, style: TranscriptionStyle)
  /// Reports that the task was cancelled.
  func receiveCancellation(_ error: any Error, of task: SFSpeechRecognitionTask)
}

/// Reports each utterance to a delegate on its own.
final class DelegateResultAdapter: RecognitionResultAdapter {
  private let wantsPartialResults: Bool
  private weak var delegate: (any SFSpeechRecognitionTaskDelegate)?

  init(wantsPartialResults: Bool, delegate: any SFSpeechRecognitionTaskDelegate) {
    self.wantsPartialResults = wantsPartialResults
    self.delegate = delegate
  }

  func receive(_ event: RecognitionEvent, of task: SFSpeechRecognitionTask, style: TranscriptionStyle) {
    guard let delegate else { return }
    switch event {
    case .speechDetected:
      delegate.speechRecognitionDidDetectSpeech(task)
    case .hypothesis(let words):
      guard wantsPartialResults, !words.isEmpty else { return }
      var writer = TranscriptionWriter(style: style)
      writer.write(words)
      delegate.speechRecognitionTask(task, didHypothesizeTranscription: writer.transcription)
    case .utterance(let utterance):
      guard !utterance.candidates.isEmpty else { return }
      let result = Self.result(of: utterance, style: style)
      delegate.speechRecognitionTask(task, didHypothesizeTranscription: result.bestTranscription)
      delegate.speechRecognitionTask(task, didFinishRecognition: result)
    case .processed(let seconds):
      delegate.speechRecognitionTask(task, didProcessAudioDuration: seconds)
    case .audioEnded:
      delegate.speechRecognitionTaskFinishedReadingAudio(task)
    case .decoded, .failure, .flushed, .ended:
      break
    }
  }

  func receiveEnd(_ error: (any Error)?, of task: SFSpeechRecognitionTask, style: TranscriptionStyle) {
    delegate?.speechRecognitionTask(task, didFinishSuccessfully: error == nil)
  }

  func receiveCancellation(_ error: any Error, of task: SFSpeechRecognitionTask) {
    delegate?.speechRecognitionTaskWasCancelled(task)
    delegate?.speechRecognitionTask(task, didFinishSuccessfully: false)
  }

  /// The final result of one utterance.
  static func result(of utterance: RecognizedUtterance, style: TranscriptionStyle)
    -> SFSpeechRecognitionResult
  {
    let analytics = UtteranceAnalytics(audio: utterance.audio)
    let transcriptions = utterance.candidates.indices.map { index in
      var writer = TranscriptionWriter(style: style)
      writer.write(utterance.candidates[index].words, analytics: analytics) {
        utterance.alternatives(toWord: $0, ofCandidate: index)
      }
      writer.finish(at: utterance.end)
      return writer.transcription
    }
    return SFSpeechRecognitionResult(
      best: transcriptions[0], others: Array(transcriptions.dropFirst()), isFinal: true,
      metadata: SFSpeechRecognitionMetadata(
        timing: SpeechTiming(transcriptions[0].segments), utterances: [analytics]))
  }
}
