import CoreAudioTypes

extension AVAudioFormat {
  /// What two formats must agree in to be equal.
  struct Identity: Hashable {
    let rate: Double
    let kind: AudioFormatID
    let flags: AudioFormatFlags
    let bits: UInt32
    let bytes: UInt32
    let channels: UInt32
    let layout: AudioChannelLayoutTag?
  }

  /// Whether sound of the one can stand for sound of the other, whatever a subclass calls equal.
  func isSame(as other: AVAudioFormat) -> Bool { identity == other.identity }

  /// Interleavedness does not count for one channel, alignment not where samples fill their bytes, and a mono or
  /// stereo layout is the same as none.
  var identity: Identity {
    let description = basicDescription
    var flags = description.mFormatFlags
    if description.mFormatID == kAudioFormatLinearPCM {
      let alignedHigh = AudioFormatFlags(1 << 4)
      if flags & kAudioFormatFlagIsPacked != 0 { flags &= ~alignedHigh }
      if flags & kAudioFormatFlagIsFloat != 0 { flags &= ~kAudioFormatFlagIsSignedInteger }
      if description.mChannelsPerFrame == 1 { flags &= ~kAudioFormatFlagIsNonInterleaved }
    }
    let tag = basicLayout?.layoutTag
    let isUsual = tag == kAudioChannelLayoutTag_Mono || tag == kAudioChannelLayoutTag_Stereo
    return Identity(
      rate: description.mSampleRate, kind: description.mFormatID, flags: flags,
      bits: description.mBitsPerChannel, bytes: description.mBytesPerFrame,
      channels: description.mChannelsPerFrame, layout: isUsual ? nil : tag)
  }
}
