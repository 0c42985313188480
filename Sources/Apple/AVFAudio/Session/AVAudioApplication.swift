import Foundation
import Synchronization

/// The program as a user of audio. On Linux recording is permitted here, unless `PermissionPolicy` says otherwise; the sound
/// server decides.
///
/// `@unchecked Sendable`: it has no state.
open class AVAudioApplication: NSObject, @unchecked Sendable {
  /// Whether the program may record.
  public enum recordPermission: UInt, Sendable {
    /// The user has not been asked yet ('undt').
    case undetermined = 0x756E_6474
    /// Refused ('deny').
    case denied = 0x6465_6E79
    /// Granted ('grnt').
    case granted = 0x6772_6E74
  }

  /// Creates another application object, for subclasses.
  public override init() { super.init() }

  /// This program.
  open class var shared: AVAudioApplication { instance }
  private static let instance = AVAudioApplication()

  /// Whether the program may record.
  open var recordPermission: recordPermission { PermissionPolicy.current.permission }

  /// Asks the user, unless the user has decided, and calls `response` before this returns.
  open class func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) {
    response(PermissionPolicy.ask() == .granted)
  }

  /// Asks the user, unless the user has decided. Returns whether the program may record.
  open class func requestRecordPermission() async -> Bool { PermissionPolicy.ask() == .granted }
}

extension AVAudioApplication {
  /// What is answered where the program asks whether it may record. It exists on Linux only, where there is no user to ask,
  /// so that programs can be tried with every answer:
  ///
  /// ```swift
  /// AVAudioApplication.PermissionPolicy.current = .init(.undetermined, answer: .denied)
  /// ```
  ///
  /// The environment variable `RECORD_PERMISSION` sets the first policy of a process: `granted` (the default), `denied` or
  /// `undetermined`, which a request does not change.
  public struct PermissionPolicy: Sendable, Hashable {
    /// The permission before the user is asked.
    public var permission: recordPermission
    /// What the user answers where it is `undetermined`. It is the permission from then on.
    public var answer: recordPermission

    /// Creates a policy.
    /// - Parameters:
    ///   - permission: the permission before the user is asked.
    ///   - answer: what the user answers; nil for the permission itself.
    public init(_ permission: recordPermission, answer: recordPermission? = nil) {
      self.permission = permission
      self.answer = answer ?? permission
    }

    /// The policy of this process.
    public static var current: PermissionPolicy {
      get { shared.withLock(\.self) }
      set { shared.withLock { $0 = newValue } }
    }

    private static let shared = Mutex(PermissionPolicy())

    private init() {
      switch ProcessInfo.processInfo.environment["RECORD_PERMISSION"] {
      case "denied": self.init(.denied)
      case "undetermined": self.init(.undetermined)
      default: self.init(.granted)
      }
    }

    /// Asks the user, unless the user has decided before.
    static func ask() -> recordPermission {
      shared.withLock { policy in
        if policy.permission == .undetermined { policy.permission = policy.answer }
        return policy.permission
      }
    }
  }
}
