import Foundation

/// Where a session gets media from. Not `Sendable`, as on Apple platforms.
open class AVCaptureInput: NSObject {
  /// A stream of an input.
  open class Port: NSObject {
    /// The input that the stream comes from.
    open private(set) unowned var input: AVCaptureInput
    /// The kind of media.
    open private(set) var mediaType: AVMediaType
    /// Whether the stream is used.
    open var isEnabled = true

    init(input: AVCaptureInput, mediaType: AVMediaType) {
      (self.input, self.mediaType) = (input, mediaType)
      super.init()
    }
  }

  /// The streams; none for an input without a device.
  open var ports: [Port] { [] }
}

/// A device as an input.
open class AVCaptureDeviceInput: AVCaptureInput {
  /// The device.
  open private(set) var device: AVCaptureDevice
  private var audio: [Port] = []
  /// One stream of audio.
  open override var ports: [Port] { audio }

  /// Creates an input from `device`.
  ///
  /// Throws `AVError` with the code `applicationIsNotAuthorizedToUseDevice` if the user said no.
  public init(device: AVCaptureDevice) throws {
    let status = AVCaptureDevice.authorizationStatus(for: .audio)
    guard status == .authorized || status == .notDetermined else {
      throw AVError(
        .applicationIsNotAuthorizedToUseDevice,
        "Cannot use \(device.localizedName): the user does not let this program record. Allow it in the system's settings."
      )
    }
    self.device = device
    super.init()
    audio = [Port(input: self, mediaType: .audio)]
  }
}
