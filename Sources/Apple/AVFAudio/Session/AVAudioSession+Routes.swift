import Foundation

/// The key of a route change's `AVAudioSession.RouteChangeReason`, as its raw value, a `UInt`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The key of the `AVAudioSessionRouteDescription` of before the change; on Linux missing where nothing was
/// recorded.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"

extension AVAudioSession {
  /// Why a route changes.
  public enum RouteChangeReason: UInt, Sendable {
    /// Nobody knows.
    case unknown = 0
    /// There is a device that was not there before.
    case newDeviceAvailable = 1
    /// The device that was recorded is gone.
    case oldDeviceUnavailable = 2
    /// The session's category changed; never on Linux.
    case categoryChange = 3
    /// The program chose another output; never on Linux.
    case override = 4
    /// The machine woke; never on Linux.
    case wakeFromSleep = 6
    /// No device suits the category; never on Linux.
    case noSuitableRouteForCategory = 7
    /// The user, or the server, made the recording come from another device.
    case routeConfigurationChange = 8
  }

  /// Posted when devices come and go while an engine records or waits for a device, by a thread of the
  /// engine's and once for each engine; its object is the session.
  public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")

  func changeRoute(_ reason: RouteChangeReason, from source: CaptureDevice?) {
    var information: [String: Any] = [AVAudioSessionRouteChangeReasonKey: reason.rawValue]
    if let source {
      information[AVAudioSessionRouteChangePreviousRouteKey] = AVAudioSessionRouteDescription(source: source)
    }
    NotificationCenter.default.post(
      name: Self.routeChangeNotification, object: self, userInfo: information)
  }
}
