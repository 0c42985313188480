import CoreAudioTypes
import Foundation

/// How the channels of a format are arranged.
///
/// On Linux a layout is only its tag: there is no `AudioChannelLayout` structure with descriptions.
///
/// `@unchecked Sendable`: nothing changes after `init`.
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
  /// The code of the arrangement.
  open private(set) var layoutTag: AudioChannelLayoutTag
  /// The number of channels.
  open var channelCount: AVAudioChannelCount { layoutTag & 0xFFFF }

  /// The layout of `layoutTag`; nil if the tag names no channel.
  public init?(layoutTag: AudioChannelLayoutTag) {
    guard layoutTag & 0xFFFF > 0 else { return nil }
    self.layoutTag = layoutTag
  }

  /// Channels without speaker positions. Files with more than two channels have this layout.
  convenience init?(discrete channels: AVAudioChannelCount) {
    guard (1...0xFFFF).contains(channels) else { return nil }
    self.init(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels)
  }

  /// Whether `object` is a layout with the same tag.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioChannelLayout)?.layoutTag == layoutTag
  }

  /// Agrees with `isEqual`.
  open override var hash: Int { Int(layoutTag) }
}
