/// A four-character code that names a sample format, such as `kAudioFormatLinearPCM`.
public typealias AudioFormatID = UInt32
/// Flags that refine an `AudioFormatID`.
public typealias AudioFormatFlags = UInt32

/// Uncompressed samples.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D  // 'lpcm'
/// Samples are floating point.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// Samples are big-endian.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// Integer samples are signed.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// The bits of a sample fill its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// Each channel stands in a buffer of its own.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// The machine's own byte order; every platform of Longhand is little-endian.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0

/// The layout of a stream of samples, as Apple's `CoreAudioTypes` declares it.
public struct AudioStreamBasicDescription: Sendable {
  /// Frames a second (Hz).
  public var mSampleRate: Double = 0
  /// Which kind of samples.
  public var mFormatID: AudioFormatID = 0
  /// Details of that kind.
  public var mFormatFlags: AudioFormatFlags = 0
  /// Bytes of a packet in one buffer.
  public var mBytesPerPacket: UInt32 = 0
  /// Frames of a packet; 1 for uncompressed samples.
  public var mFramesPerPacket: UInt32 = 0
  /// Bytes of a frame in one buffer.
  public var mBytesPerFrame: UInt32 = 0
  /// Channels of a frame.
  public var mChannelsPerFrame: UInt32 = 0
  /// Bits of one sample.
  public var mBitsPerChannel: UInt32 = 0
  /// Pads the structure to a multiple of eight bytes.
  public var mReserved: UInt32 = 0

  /// All zero.
  public init() {}

  /// Each field by its name.
  public init(
    mSampleRate: Double, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32,
    mFramesPerPacket: UInt32, mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32,
    mReserved: UInt32
  ) {
    self.mSampleRate = mSampleRate
    self.mFormatID = mFormatID
    self.mFormatFlags = mFormatFlags
    self.mBytesPerPacket = mBytesPerPacket
    self.mFramesPerPacket = mFramesPerPacket
    self.mBytesPerFrame = mBytesPerFrame
    self.mChannelsPerFrame = mChannelsPerFrame
    self.mBitsPerChannel = mBitsPerChannel
    self.mReserved = mReserved
  }
}
