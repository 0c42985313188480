import AVFAudio
import Foundation

/// A device that captures media; on Linux a source of the sound server (PulseAudio or PipeWire).
///
/// ```swift
/// import AVFoundation
///
/// guard await AVCaptureDevice.requestAccess(for: .audio),
///   let microphone = AVCaptureDevice.default(for: .audio)
/// else { exit(1) }
/// let session = AVCaptureSession()
/// session.addInput(try AVCaptureDeviceInput(device: microphone))
/// ```
///
/// `@unchecked Sendable`: nothing changes after `init`.
open class AVCaptureDevice: NSObject, @unchecked Sendable {
  /// A kind of device.
  public struct DeviceType: RawRepresentable, Hashable, Sendable {
    /// Apple's name for the kind.
    public let rawValue: String
    /// Creates the kind with this name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A microphone; on Linux every source that is not the monitor of an output.
    public static let microphone = DeviceType(rawValue: "AVCaptureDeviceTypeMicrophone")
    /// A microphone; the older name.
    public static let builtInMicrophone = microphone
    /// Another device; on Linux the monitor of an output, which has what the output plays.
    public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
    /// Another device; the older name on macOS.
    public static let externalUnknown = external
    /// A camera; Linux has none.
    public static let builtInWideAngleCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera")
  }

  /// Where a device is on the machine.
  public enum Position: Int, Sendable {
    /// Unknown; on Linux always.
    case unspecified = 0
    /// The back.
    case back = 1
    /// The side of the screen.
    case front = 2
  }

  /// The source and the server that has it, in the syntax of `PULSE_SERVER`; nil means libpulse's default.
  package let source: CaptureDevice
  package let server: String?

  init(_ source: CaptureDevice, server: String?) {
    (self.source, self.server) = (source, server)
    super.init()
  }

  /// The device with this `uniqueID`; nil if the sound server has none.
  public convenience init?(uniqueID deviceUniqueID: String) {
    let source = try? CaptureDevice.all().first { $0.name == deviceUniqueID }
    guard let source else { return nil }
    self.init(source, server: nil)
  }

  /// The name for programs; on Linux the name in the sound server, which stays the same after a restart.
  open var uniqueID: String { source.name }
  /// The model; on Linux the same as `localizedName`.
  open var modelID: String { source.description }
  /// The name for people, such as "Built-in Audio Analog Stereo".
  open var localizedName: String { source.description }
  /// The maker; empty on Linux.
  open var manufacturer: String { "" }
  /// The kind of device.
  open var deviceType: DeviceType { source.isMonitor ? .external : .microphone }
  /// Where the device is; unknown on Linux.
  open var position: Position { .unspecified }
  /// Whether the sound server still has the device. Waits for it for at most 3 seconds.
  open var isConnected: Bool {
    (try? CaptureDevice.all(server: server).contains { $0.name == source.name }) ?? false
  }

  /// Whether the device captures this kind of media.
  open func hasMediaType(_ mediaType: AVMediaType) -> Bool { mediaType == .audio }

  /// Reserves the device for changes; has no effect on Linux, where the sound server owns it.
  open func lockForConfiguration() throws {}
  /// Ends what `lockForConfiguration()` began.
  open func unlockForConfiguration() {}

  /// Two objects for the same source are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVCaptureDevice).map { $0.uniqueID == uniqueID && $0.server == server } ?? false
  }
  /// The hash of `uniqueID`.
  open override var hash: Int { uniqueID.hash }

  // MARK: Permission

  /// Whether the user lets the program use devices for `mediaType`; see `AVAudioApplication.PermissionPolicy`. On Linux
  /// everything but audio is `restricted`.
  open class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
    guard mediaType == .audio else { return .restricted }
    return switch AVAudioApplication.shared.recordPermission {
    case .undetermined: .notDetermined
    case .denied: .denied
    case .granted: .authorized
    }
  }

  /// Asks the user, unless the user has decided, and calls `handler`; on Linux before this returns.
  open class func requestAccess(
    for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) {
    guard mediaType == .audio else { return handler(false) }
    AVAudioApplication.requestRecordPermission(completionHandler: handler)
  }

  /// Asks the user, unless the user has decided. Returns whether the program may use devices for `mediaType`.
  open class func requestAccess(for mediaType: AVMediaType) async -> Bool {
    guard mediaType == .audio else { return false }
    return await AVAudioApplication.requestRecordPermission()
  }
}
