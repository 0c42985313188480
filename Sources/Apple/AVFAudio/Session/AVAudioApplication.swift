import Foundation

/// The program as a user of audio. On Linux recording is always permitted here; the sound server decides.
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

  /// Always granted.
  open var recordPermission: recordPermission { .granted }

  /// Calls `response` with true before this returns.
  open class func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) {
    response(true)
  }

  /// Always true.
  open class func requestRecordPermission() async -> Bool { true }
}
