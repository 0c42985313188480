import Foundation

/// The key of a route change's `AVAudioSession.RouteChangeReason`, as its raw value, a `UInt`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The key of the `AVAudioSessionRouteDescription` before the change; on Linux missing if nothing was recorded.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"

extension AVAudioSession {
  /// Why a route has changed.
  public enum RouteChangeReason: UInt, Sendable {
    /// The reason is unknown.
    case unknown = 0
    /// A new device is available.
    case newDeviceAvailable = 1
    /// The device in use was removed.
    case oldDeviceUnavailable = 2
    /// The category of the session changed; never on Linux.
    case categoryChange = 3
    /// The program chose another output; never on Linux.
    case override = 4
    /// The machine woke from sleep; never on Linux.
    case wakeFromSleep = 6
    /// No device suits the category; never on Linux.
    case noSuitableRouteForCategory = 7
    /// The user or the sound server moved the recording to another device.
    case routeConfigurationChange = 8
  }

  /// Posted when devices are added or removed while an engine records or waits for a device. Posted once for each
  /// engine, on a thread of the engine. The object is the session.
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

/// The devices for input and output. Immutable.
///
/// `@unchecked Sendable`: nothing changes after `init`.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
  /// The input devices; on Linux one source of the sound server, or none.
  open private(set) var inputs: [AVAudioSessionPortDescription]
  /// The output devices; on Linux always empty: outputs are not listed.
  open private(set) var outputs: [AVAudioSessionPortDescription] = []

  /// Creates a route without devices, for subclasses.
  public override init() {
    inputs = []
    super.init()
  }

  init(source: CaptureDevice?) {
    inputs = source.map { [AVAudioSessionPortDescription($0)] } ?? []
    super.init()
  }
}

/// A device of a route. Immutable.
///
/// `@unchecked Sendable`: nothing changes after `init`.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
  /// The kind of device.
  open private(set) var portType: AVAudioSession.Port
  /// The name for people.
  open private(set) var portName: String
  /// The name for programs; on Linux the name in the sound server, see `CaptureDevice.name`.
  open private(set) var uid: String

  /// Creates a device without a name, for subclasses.
  public override init() {
    portType = .lineIn
    portName = ""
    uid = ""
    super.init()
  }

  init(_ source: CaptureDevice) {
    portType = .lineIn
    portName = source.description
    uid = source.name
    super.init()
  }
}

extension AVAudioSession {
  /// A kind of device. On Linux every source is a `.lineIn`, because the sound server does not name the kind.
  public struct Port: RawRepresentable, Hashable, Sendable {
    /// Apple's name for the kind.
    public let rawValue: String
    /// Creates the kind with that name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A line input.
    public static let lineIn = Port(rawValue: "LineIn")
    /// The built-in microphone.
    public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
    /// The microphone of a wired headset.
    public static let headsetMic = Port(rawValue: "MicrophoneWired")
    /// A Bluetooth headset.
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    /// A USB device.
    public static let usbAudio = Port(rawValue: "USBAudio")
  }
}
