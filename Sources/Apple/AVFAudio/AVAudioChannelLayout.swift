import CoreAudioTypes
import Foundation

/// How the channels of a format are arranged.
///
/// On Linux a layout is its tag alone: there is no `AudioChannelLayout` structure with descriptions.
public final class AVAudioChannelLayout: NSObject, Sendable {
  /// The arrangement's code.
  public let layoutTag: AudioChannelLayoutTag
  /// How many channels it has.
  public var channelCount: AVAudioChannelCount { layoutTag & 0xFFFF }

  /// The layout of `layoutTag`; nil if the tag names no channel.
  public init?(layoutTag: AudioChannelLayoutTag) {
    guard layoutTag & 0xFFFF > 0 else { return nil }
    self.layoutTag = layoutTag
  }

  /// Channels without places; what a file with more than two channels gets.
  init?(discrete channels: AVAudioChannelCount) {
    guard (1...0xFFFF).contains(channels) else { return nil }
    layoutTag = kAudioChannelLayoutTag_DiscreteInOrder | channels
  }

  /// Whether `object` is a layout of the same tag.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioChannelLayout)?.layoutTag == layoutTag
  }

  /// Agrees with `isEqual`.
  public override var hash: Int { Int(layoutTag) }
}
