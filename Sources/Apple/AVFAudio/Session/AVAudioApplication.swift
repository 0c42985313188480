import Foundation

/// The program as a user of sound. On Linux recording is always permitted here; the sound server decides.
///
/// `@unchecked Sendable`: it holds nothing.
open class AVAudioApplication: NSObject, @unchecked Sendable {
  /// Whether the program may record.
  public enum recordPermission: UInt, Sendable {
    /// Nobody was asked yet ('undt').
    case undetermined = 0x756E_6474
    /// Refused ('deny').
    case denied = 0x6465_6E79
    /// Granted ('grnt').
    case granted = 0x6772_6E74
  }

  /// A program besides this one, for subclasses.
  public override init() { super.init() }

  /// This program.
  open class var shared: AVAudioApplication { instance }
  private static let instance = AVAudioApplication()

  /// Always granted.
  open var recordPermission: recordPermission { .granted }

  /// Calls `response` with true, before returning.
  open class func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) {
    response(true)
  }

  /// Always true.
  open class func requestRecordPermission() async -> Bool { true }
}
