/// A four-character code that names a sample format, such as `kAudioFormatLinearPCM`.
public typealias AudioFormatID = UInt32
/// Flags that refine an `AudioFormatID`.
public typealias AudioFormatFlags = UInt32

/// Uncompressed samples.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D  // 'lpcm'
/// The samples are floating point.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// The samples are big-endian.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// The samples are signed integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// The bits of a sample fill all its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// Each channel has its own buffer.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// The byte order of the machine; all supported platforms are little-endian.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0

/// The layout of a stream of samples, as Apple's `CoreAudioTypes` declares it.
public struct AudioStreamBasicDescription: Sendable {
  /// The sample rate in Hz.
  public var mSampleRate: Double = 0
  /// The kind of audio.
  public var mFormatID: AudioFormatID = 0
  /// Flags that refine `mFormatID`.
  public var mFormatFlags: AudioFormatFlags = 0
  /// The number of bytes of a packet in one buffer.
  public var mBytesPerPacket: UInt32 = 0
  /// The number of frames in a packet; 1 for uncompressed samples.
  public var mFramesPerPacket: UInt32 = 0
  /// The number of bytes of a frame in one buffer.
  public var mBytesPerFrame: UInt32 = 0
  /// The number of channels in a frame.
  public var mChannelsPerFrame: UInt32 = 0
  /// The number of bits in a sample.
  public var mBitsPerChannel: UInt32 = 0
  /// Padding to a multiple of eight bytes.
  public var mReserved: UInt32 = 0

  /// Creates a description whose fields are zero.
  public init() {}

  /// Creates a description from all its fields.
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

/// The position of one packet of a compressed stream in a buffer.
public struct AudioStreamPacketDescription: Sendable {
  /// The offset of the packet in the buffer, in bytes.
  public var mStartOffset: Int64 = 0
  /// The number of frames in the packet if it varies, else 0.
  public var mVariableFramesInPacket: UInt32 = 0
  /// The size of the packet in bytes.
  public var mDataByteSize: UInt32 = 0

  /// Creates a description whose fields are zero.
  public init() {}

  /// Creates a description from all its fields.
  public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
    self.mStartOffset = mStartOffset
    self.mVariableFramesInPacket = mVariableFramesInPacket
    self.mDataByteSize = mDataByteSize
  }
}

/// AAC, low complexity ('aac ').
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// MPEG layer 3 ('.mp3').
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// Apple Lossless ('alac').
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// Free Lossless Audio Codec ('flac').
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// Opus ('opus').
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
/// µ-law 2:1 ('ulaw').
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
/// A-law 2:1 ('alaw').
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177

/// A code for an arrangement of channels; its low 16 bits are the number of channels.
public typealias AudioChannelLayoutTag = UInt32

/// An unknown arrangement. Combine it with the number of channels.
public let kAudioChannelLayoutTag_Unknown: AudioChannelLayoutTag = 0xFFFF_0000
/// Channels without speaker positions, in order. Combine it with the number of channels.
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
