import CoreAudioTypes

extension AVAudioFormat {
  /// The format that `settings` describe, with the keys `AVFormatIDKey`, `AVSampleRateKey` and so on.
  ///
  /// Missing keys mean: uncompressed, 16 bits, integers, little-endian, interleaved. Nil without a rate or a number
  /// of channels, for more than two channels without `AVChannelLayoutKey`, and for sizes that do not exist.
  public convenience init?(settings: [String: Any]) {
    let settings = AudioSettings(values: settings)
    guard let rate = settings.number(AVSampleRateKey),
      let channels = settings.count(AVNumberOfChannelsKey), channels <= 0xFFFF
    else { return nil }
    let layout = settings.values[AVChannelLayoutKey] as? AVAudioChannelLayout
    let kind = settings.count(AVFormatIDKey) ?? kAudioFormatLinearPCM
    guard kind == kAudioFormatLinearPCM else {
      self.init(
        optional: AudioStreamBasicDescription(compressed: kind, sampleRate: rate, channels: channels),
        layout: layout)
      return
    }
    let isFloat = settings.flag(AVLinearPCMIsFloatKey) ?? false
    let bits = settings.count(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
    guard (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(bits) else { return nil }
    self.init(
      optional: AudioStreamBasicDescription(
        bits: bits, isFloat: isFloat, sampleRate: rate, channels: channels,
        interleaved: !(settings.flag(AVLinearPCMIsNonInterleaved) ?? false),
        bigEndian: settings.flag(AVLinearPCMIsBigEndianKey) ?? false),
      layout: layout)
  }

  /// The format as a dictionary; see `settings`.
  var written: [String: Any] {
    let description = streamDescription.pointee
    var settings: [String: Any] = [
      AVFormatIDKey: description.mFormatID,
      AVSampleRateKey: description.mSampleRate,
      AVNumberOfChannelsKey: Int(description.mChannelsPerFrame),
    ]
    if let channelLayout { settings[AVChannelLayoutKey] = channelLayout }
    guard description.mFormatID == kAudioFormatLinearPCM else { return settings }
    settings[AVLinearPCMBitDepthKey] = Int(description.mBitsPerChannel)
    settings[AVLinearPCMIsFloatKey] = description.mFormatFlags & kAudioFormatFlagIsFloat != 0
    settings[AVLinearPCMIsBigEndianKey] = description.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
    settings[AVLinearPCMIsNonInterleaved] = !isInterleaved
    return settings
  }
}
