import Foundation

/// The devices that sound comes from and goes to. Immutable.
///
/// `@unchecked Sendable`: nothing changes after `init`.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
  /// Where sound comes from; on Linux one source of the sound server, or none.
  open private(set) var inputs: [AVAudioSessionPortDescription]
  /// Where sound goes to; always empty on Linux, where nothing is played.
  open private(set) var outputs: [AVAudioSessionPortDescription] = []

  /// A route without devices, for subclasses.
  public override init() {
    inputs = []
    super.init()
  }

  init(source: CaptureDevice?) {
    inputs = source.map { [AVAudioSessionPortDescription($0)] } ?? []
    super.init()
  }
}
