import Foundation

/// A code for an arrangement of channels; its low 16 bits are the number of channels.
public typealias AudioChannelLayoutTag = UInt32

/// No arrangement is known; the low bits are replaced by the number of channels.
public let kAudioChannelLayoutTag_Unknown: AudioChannelLayoutTag = 0xFFFF_0000
/// Channels without places, in order; the low bits are replaced by the number of channels.
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = 147 << 16
/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
/// Left, right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2
/// Left front, right front, left back, right back.
public let kAudioChannelLayoutTag_Quadraphonic: AudioChannelLayoutTag = 108 << 16 | 4
/// L R C LFE Ls Rs.
public let kAudioChannelLayoutTag_MPEG_5_1_A: AudioChannelLayoutTag = 121 << 16 | 6
/// L R C LFE Ls Rs Lc Rc.
public let kAudioChannelLayoutTag_MPEG_7_1_A: AudioChannelLayoutTag = 126 << 16 | 8

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
