/// How far a task has come.
public enum SFSpeechRecognitionTaskState: Int, Sendable {
  /// It has not begun.
  case starting = 0
  /// It takes audio and gives results.
  case running = 1
  /// It takes no more audio; results may still come.
  case finishing = 2
  /// No more results come; audio may still be recorded.
  case canceling = 3
  /// All is over.
  case completed = 4
}
