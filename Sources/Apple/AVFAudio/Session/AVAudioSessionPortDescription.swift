import Foundation

/// A device of a route. Immutable.
///
/// `@unchecked Sendable`: nothing changes after `init`.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
  /// The kind of device.
  open private(set) var portType: AVAudioSession.Port
  /// Its name for people.
  open private(set) var portName: String
  /// Its name for programs: on Linux the one of the sound server, see `CaptureDevice.name`.
  open private(set) var uid: String

  /// A device without a name, for subclasses.
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
  /// A kind of device. On Linux every source is a `.lineIn`, as the server's names tell no more.
  public struct Port: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the kind.
    public let rawValue: String
    /// The kind of that name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// An input for a line.
    public static let lineIn = Port(rawValue: "LineIn")
    /// The machine's own microphone.
    public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
    /// The microphone of a wired headset.
    public static let headsetMic = Port(rawValue: "MicrophoneWired")
    /// A headset without a wire.
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    /// A device at the serial bus.
    public static let usbAudio = Port(rawValue: "USBAudio")
  }
}
