/// Why a speech service gave no answer.
enum SpeechServiceFailure: Error, Equatable {
  /// There is no executable to start; nothing will mend that while the program runs.
  case notInstalled
  /// The service has no model for what was asked; its own words.
  case unavailable(String)
  /// The service died, hung or broke the protocol; a fresh one may do better.
  case interrupted(String)
  /// So many services are at work that no more are started.
  case exhausted(Int)
  /// Nobody waits for the answer any more.
  case cancelled
}
