import CoreAudioTypes
import Foundation

/// How the channels of a format are arranged.
///
/// On Linux a layout is its tag alone: there is no `AudioChannelLayout` structure with descriptions.
///
/// `@unchecked Sendable`: nothing changes after `init`.
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
  /// The arrangement's code.
  open private(set) var layoutTag: AudioChannelLayoutTag
  /// How many channels it has.
  open var channelCount: AVAudioChannelCount { layoutTag & 0xFFFF }

  /// The layout of `layoutTag`; nil if the tag names no channel.
  public init?(layoutTag: AudioChannelLayoutTag) {
    guard layoutTag & 0xFFFF > 0 else { return nil }
    self.layoutTag = layoutTag
  }

  /// Channels without places; what a file with more than two channels gets.
  convenience init?(discrete channels: AVAudioChannelCount) {
    guard (1...0xFFFF).contains(channels) else { return nil }
    self.init(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels)
  }

  /// Whether `object` is a layout of the same tag.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioChannelLayout)?.layoutTag == layoutTag
  }

  /// Agrees with `isEqual`.
  open override var hash: Int { Int(layoutTag) }
}
