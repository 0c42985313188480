import CoreAudioTypes
import Foundation

/// The kind of audio (`AudioFormatID`).
public let AVFormatIDKey = "AVFormatIDKey"
/// The sample rate in Hz (`Double`).
public let AVSampleRateKey = "AVSampleRateKey"
/// The number of channels (`Int`).
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// Bits per sample: 8, 16, 24, 32 or 64 (`Int`).
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether samples are big-endian (`Bool`).
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether samples are floating point (`Bool`).
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel has its own buffer (`Bool`).
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// The layout of channels: on Linux an `AVAudioChannelLayout`, on Apple platforms a C structure in `Data`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// The quality of a lossy encoder. Has no effect on Linux, which has no lossy encoder.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// Bits per second of a lossy encoder. Has no effect on Linux, which has no lossy encoder.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"

/// Bits per second and channel of a lossy encoder. Has no effect on Linux.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// The strategy of a lossy encoder. Has no effect on Linux.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// The bits per sample that an encoder should keep. Has no effect on Linux.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

/// The default resampler; see `AVAudioConverter.sampleRateConverterAlgorithm`.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The best resampler; see `AVAudioConverter.sampleRateConverterAlgorithm`.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// The resampler with the shortest delay; on Linux the same as the default one.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"

/// Reads a settings dictionary. Its numbers may have any numeric type of Swift or Foundation.
struct AudioSettings {
  let values: [String: Any]

  func number(_ key: String) -> Double? {
    switch values[key] {
    case let value as NSNumber: value.doubleValue
    case let value as any BinaryInteger: Double(value)
    case let value as any BinaryFloatingPoint: Double(value)
    default: nil
    }
  }

  /// A count or a code; nil if the key is missing or its value is something else, such as a fraction or -1.
  func count(_ key: String) -> UInt32? { number(key).flatMap { UInt32(exactly: $0) } }

  func flag(_ key: String) -> Bool? {
    if let value = values[key] as? Bool { return value }
    return number(key).map { $0 != 0 }
  }
}

extension AVAudioFormat {
  /// Creates the format that `settings` describes, with the keys `AVFormatIDKey`, `AVSampleRateKey` and so on.
  ///
  /// The defaults are uncompressed, 16 bits, integers, little-endian, interleaved. Returns nil without a sample rate or
  /// a number of channels, for more than two channels without `AVChannelLayoutKey`, and for an unknown sample size.
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
