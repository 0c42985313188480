import AVFAudio
import Foundation

extension AVCaptureDevice {
  /// The device to use for `mediaType` where the user has not chosen another one; nil if there is none.
  ///
  /// On Linux the source that `PULSE_SOURCE` names, else the sound server's default. Waits for the server for at most 3
  /// seconds.
  public class func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
    mediaType == .audio ? preferred(server: nil) : nil
  }

  /// The device of this kind to use where the user has not chosen another one; nil if there is none.
  public class func `default`(
    _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
  ) -> AVCaptureDevice? {
    let session = DiscoverySession(deviceTypes: [deviceType], mediaType: mediaType, position: position)
    guard let preferred = preferred(server: nil), session.devices.contains(preferred) else {
      return session.devices.first
    }
    return preferred
  }

  /// The default source of the server at this address.
  package static func preferred(server: String?) -> AVCaptureDevice? {
    (try? CaptureDevice.preferred(server: server)).map { AVCaptureDevice($0, server: server) }
  }

  /// A search for devices.
  ///
  /// `@unchecked Sendable`: nothing changes after `init`.
  open class DiscoverySession: NSObject, @unchecked Sendable {
    /// The devices that were there when the search began, in the order of the kinds that were asked for.
    open private(set) var devices: [AVCaptureDevice]

    /// Searches for devices of these kinds; a `mediaType` of nil means all media. On Linux only audio devices are found.
    /// Waits for the sound server for at most 3 seconds; without a server there are no devices.
    public convenience init(
      deviceTypes: [AVCaptureDevice.DeviceType], mediaType: AVMediaType?, position: AVCaptureDevice.Position
    ) {
      self.init(deviceTypes: deviceTypes, mediaType: mediaType, position: position, server: nil)
    }

    /// Searches on the server at this address.
    package init(
      deviceTypes: [AVCaptureDevice.DeviceType], mediaType: AVMediaType?, position: AVCaptureDevice.Position,
      server: String?
    ) {
      let isPossible = (mediaType ?? .audio) == .audio && position == .unspecified
      let all = isPossible ? (try? CaptureDevice.all(server: server)) ?? [] : []
      let found = all.map { AVCaptureDevice($0, server: server) }
      devices = deviceTypes.flatMap { type in found.filter { $0.deviceType == type } }
      super.init()
    }
  }
}
