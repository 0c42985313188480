import AVFAudio
import CoreMedia
import Foundation

/// A track of an asset; on Linux the audio of a file.
///
/// `@unchecked Sendable`: nothing changes after `init`.
open class AVAssetTrack: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  /// The asset; kept by the track, so that it can be read.
  open var asset: AVAsset? { owner }
  /// The kind of media.
  open var mediaType: AVMediaType { .audio }
  /// The number of the track in its file; on Linux 1.
  open var trackID: CMPersistentTrackID { 1 }
  /// Whether the track is played.
  open var isEnabled: Bool { true }
  /// Whether the track can be played.
  open var isPlayable: Bool { true }

  let owner: AVAsset
  let file: AVAudioFile

  init(of asset: AVAsset, _ file: AVAudioFile) {
    (owner, self.file) = (asset, file)
    super.init()
  }

  /// When the track begins and how long it is; invalid if the file cannot be read. Where the container does not state it, the
  /// first use decodes the whole file.
  open var timeRange: CMTimeRange { (try? readTimeRange()) ?? .invalid }
  /// The ticks of a second: the sample rate.
  open var naturalTimeScale: CMTimeScale { CMTimeScale(file.fileFormat.sampleRate) }
  /// The format on disk, as `CMFormatDescription`.
  open var formatDescriptions: [Any] { (try? readFormats()) ?? [] }
  /// Bits per second: the size of the file divided by its duration.
  open var estimatedDataRate: Float {
    let size = (try? FileManager.default.attributesOfItem(atPath: file.url.path)[.size] as? Int) ?? 0
    let seconds = owner.duration.seconds
    return seconds > 0 ? Float(Double(size) * 8 / seconds) : 0
  }

  /// Whether the track is of this kind.
  open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
    mediaCharacteristic == .audible
  }

  func readTimeRange() throws -> CMTimeRange {
    CMTimeRange(start: .zero, duration: try owner.readDuration())
  }

  func readFormats() throws -> [CMFormatDescription] {
    [
      try CMFormatDescription(
        audioStreamBasicDescription: file.fileFormat.streamDescription.pointee)
    ]
  }
}

/// A property of media.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
  /// Apple's name for the property.
  public let rawValue: String
  /// Creates the property with this name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// It can be heard.
  public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
  /// It can be seen.
  public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// When the track begins and how long it is.
  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> {
    AVAsyncProperty { try $0.readTimeRange() }
  }
  /// The ticks of a second: the sample rate.
  public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
    AVAsyncProperty { $0.naturalTimeScale }
  }
  /// The format on disk.
  public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
    AVAsyncProperty { try $0.readFormats() }
  }
  /// Bits per second.
  public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.estimatedDataRate }
  }
  /// Whether the track is played.
  public static var isEnabled: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isEnabled } }
}
