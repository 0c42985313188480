import Foundation
import Synchronization

extension SFSpeechRecognizer {
  /// What `authorizationStatus()` and `requestAuthorization(_:)` answer. It exists on Linux only, where there is no user to
  /// ask, so that programs can be tried with every answer:
  ///
  /// ```swift
  /// SFSpeechRecognizer.AuthorizationPolicy.current = .init(.notDetermined, answer: .denied)
  /// ```
  ///
  /// The environment variable `SPEECH_AUTHORIZATION` sets the first policy of a process: `authorized` (the default),
  /// `denied`, `restricted` or `notDetermined`, which a request does not change.
  public struct AuthorizationPolicy: Sendable, Hashable {
    /// The status before the user is asked.
    public var status: SFSpeechRecognizerAuthorizationStatus
    /// What the user answers where the status is `notDetermined`. It is the status from then on.
    public var answer: SFSpeechRecognizerAuthorizationStatus

    /// Creates a policy.
    /// - Parameters:
    ///   - status: the status before the user is asked.
    ///   - answer: what the user answers; nil for the status itself.
    public init(
      _ status: SFSpeechRecognizerAuthorizationStatus, answer: SFSpeechRecognizerAuthorizationStatus? = nil
    ) {
      self.status = status
      self.answer = answer ?? status
    }

    /// The policy of this process.
    public static var current: AuthorizationPolicy {
      get { shared.withLock(\.self) }
      set { shared.withLock { $0 = newValue } }
    }

    private static let shared = Mutex(AuthorizationPolicy())

    private init() {
      switch ProcessInfo.processInfo.environment["SPEECH_AUTHORIZATION"] {
      case "denied": self.init(.denied)
      case "restricted": self.init(.restricted)
      case "notDetermined": self.init(.notDetermined)
      default: self.init(.authorized)
      }
    }

    /// Asks the user, unless the user has decided before.
    static func ask() -> SFSpeechRecognizerAuthorizationStatus {
      shared.withLock { policy in
        if policy.status == .notDetermined { policy.status = policy.answer }
        return policy.status
      }
    }
  }
}
