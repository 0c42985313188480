import Foundation

/// The key of the `AVError` in `AVCaptureSession.runtimeErrorNotification`.
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"

extension AVCaptureSession {
  /// Posted after the session has started. The object is the session.
  public static let didStartRunningNotification = Notification.Name(
    "AVCaptureSessionDidStartRunningNotification")
  /// Posted after the session was stopped. The object is the session.
  public static let didStopRunningNotification = Notification.Name(
    "AVCaptureSessionDidStopRunningNotification")
  /// Posted when the session cannot start or has ended by itself; see `AVCaptureSessionErrorKey`. The object is the session.
  public static let runtimeErrorNotification = Notification.Name("AVCaptureSessionRuntimeErrorNotification")
  /// Posted by Apple when another program takes the device; never posted on Linux.
  public static let wasInterruptedNotification = Notification.Name(
    "AVCaptureSessionWasInterruptedNotification")
  /// Posted by Apple when an interruption ends; never posted on Linux.
  public static let interruptionEndedNotification = Notification.Name(
    "AVCaptureSessionInterruptionEndedNotification")

  /// A quality of the outputs; has no effect on Linux.
  public struct Preset: RawRepresentable, Hashable, Sendable {
    /// Apple's name for the preset.
    public let rawValue: String
    /// Creates the preset with this name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// High quality; the default.
    public static let high = Preset(rawValue: "AVCaptureSessionPresetHigh")
    /// Medium quality.
    public static let medium = Preset(rawValue: "AVCaptureSessionPresetMedium")
    /// Low quality.
    public static let low = Preset(rawValue: "AVCaptureSessionPresetLow")
  }
}
