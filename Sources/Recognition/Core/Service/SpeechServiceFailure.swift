import Foundation
import RecognitionProtocol

/// Why a speech service gave no answer.
package enum SpeechServiceFailure: LocalizedError, Equatable {
  /// The executable is missing.
  case notInstalled(Recognizer)
  /// The service has no model for the configuration, and says why.
  case unavailable(String)
  /// The service has loaded another model and continues with that. Another service may load this one.
  case occupied
  /// The service died, hung or broke the protocol. A fresh one may succeed.
  case interrupted(String)
  /// So many services are in use that no more are started.
  case exhausted(Int)
  /// The caller does not wait for the answer any more.
  case cancelled
  /// The service ended the recognition with an error.
  case refused(ServiceReply.Refusal)

  /// The reason, as a sentence.
  package var reason: String {
    switch self {
    case .notInstalled(let recognizer): recognizer.locator.missing
    case .unavailable(let reason): "The speech recognizer's model is not installed: \(reason)."
    case .occupied:
      "The connection to the speech service was interrupted: the speech service refused to load a model."
    case .interrupted(let reason): "The connection to the speech service was interrupted: \(reason)."
    case .exhausted(let count):
      "\(count) recognitions of live speech are running. End one of them first."
    case .cancelled: "Recognition request was canceled"
    case .refused(let refusal): refusal.reason
    }
  }

  package var errorDescription: String? { reason }
}
