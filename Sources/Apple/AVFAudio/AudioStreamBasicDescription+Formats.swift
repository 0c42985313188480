import CoreAudioTypes

extension AudioStreamBasicDescription {
  /// Describes uncompressed audio whose samples fill their bytes.
  init(
    bits: UInt32, isFloat: Bool, sampleRate: Double, channels: UInt32, interleaved: Bool,
    bigEndian: Bool = false
  ) {
    var flags = kAudioFormatFlagIsPacked
    flags |= isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
    if !interleaved { flags |= kAudioFormatFlagIsNonInterleaved }
    if bigEndian { flags |= kAudioFormatFlagIsBigEndian }
    // At most 8 bytes times 65535 channels.
    let bytes = bits / 8 * (interleaved ? min(channels, 0xFFFF) : 1)
    self.init(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: bytes,
      mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: channels, mBitsPerChannel: bits,
      mReserved: 0)
  }

  /// Describes a common format. `.otherFormat` gives samples of no bits, for which `isSane` is false.
  init(commonFormat: AVAudioCommonFormat, sampleRate: Double, channels: UInt32, interleaved: Bool) {
    let bits: UInt32 =
      switch commonFormat {
      case .otherFormat: 0
      case .pcmFormatInt16: 16
      case .pcmFormatFloat32, .pcmFormatInt32: 32
      case .pcmFormatFloat64: 64
      }
    self.init(
      bits: bits, isFloat: commonFormat == .pcmFormatFloat32 || commonFormat == .pcmFormatFloat64,
      sampleRate: sampleRate, channels: channels, interleaved: interleaved)
  }

  /// Describes compressed audio.
  init(compressed kind: AudioFormatID, sampleRate: Double, channels: UInt32) {
    self.init()
    mSampleRate = sampleRate
    mFormatID = kind
    mChannelsPerFrame = channels
  }

  /// Whether a format can have these values.
  var isSane: Bool {
    guard mSampleRate.isFinite, mSampleRate > 0, mFormatID != 0, (1...0xFFFF).contains(mChannelsPerFrame)
    else { return false }
    return mFormatID != kAudioFormatLinearPCM || (mBitsPerChannel > 0 && mBytesPerFrame > 0)
  }

  /// Whether the channels of uncompressed audio share one buffer, frame by frame.
  var isInterleaved: Bool { mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }

  /// The common format of these samples. Only samples that fill their bytes, in the machine's byte order, have one.
  var commonFormat: AVAudioCommonFormat {
    let isPlain =
      mFormatID == kAudioFormatLinearPCM && mFormatFlags & kAudioFormatFlagIsBigEndian == 0
      && mFramesPerPacket == 1
    guard isPlain else { return .otherFormat }
    let inBuffer = isInterleaved ? mChannelsPerFrame : 1
    guard inBuffer <= 0xFFFF, mBitsPerChannel <= 64, mBytesPerFrame == mBitsPerChannel / 8 * inBuffer else {
      return .otherFormat
    }
    let isFloat = mFormatFlags & kAudioFormatFlagIsFloat != 0
    let isSigned = mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
    return switch (isFloat, mBitsPerChannel) {
    case (true, 32): .pcmFormatFloat32
    case (true, 64): .pcmFormatFloat64
    case (false, 16) where isSigned: .pcmFormatInt16
    case (false, 32) where isSigned: .pcmFormatInt32
    default: .otherFormat
    }
  }
}
