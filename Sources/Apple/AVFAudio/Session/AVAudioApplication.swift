import Foundation

/// The program as a user of sound. On Linux recording is always permitted here; the sound server decides.
public final class AVAudioApplication: NSObject, Sendable {
  /// Whether the program may record.
  public enum recordPermission: UInt, Sendable {
    /// Nobody was asked yet ('undt').
    case undetermined = 0x756E_6474
    /// Refused ('deny').
    case denied = 0x6465_6E79
    /// Granted ('grnt').
    case granted = 0x6772_6E74
  }

  override init() { super.init() }

  /// This program.
  public class var shared: AVAudioApplication { instance }
  private static let instance = AVAudioApplication()

  /// Always granted.
  public var recordPermission: recordPermission { .granted }

  /// Calls `response` with true, before returning.
  public class func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) {
    response(true)
  }

  /// Always true.
  public class func requestRecordPermission() async -> Bool { true }
}
