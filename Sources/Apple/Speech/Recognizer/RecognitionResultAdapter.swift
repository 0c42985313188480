import Foundation

/// Whoever a client's callbacks go to, in the form that the client chose.
///
/// A task calls it on the recognizer's queue only, for one event at a time.
protocol RecognitionResultAdapter: AnyObject {
  /// Tells the client of an event other than the end.
  func receive(_ event: RecognitionEvent, of task: SFSpeechRecognitionTask, style: TranscriptionStyle)
  /// Tells the client of the end. `error` is nil when all went well.
  func receiveEnd(_ error: (any Error)?, of task: SFSpeechRecognitionTask, style: TranscriptionStyle)
  /// Tells the client that the task was cancelled.
  func receiveCancellation(_ error: any Error, of task: SFSpeechRecognitionTask)
}
