import Foundation

/// The kind of samples (`AudioFormatID`).
public let AVFormatIDKey = "AVFormatIDKey"
/// Frames a second, in Hz (`Double`).
public let AVSampleRateKey = "AVSampleRateKey"
/// How many channels (`Int`).
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// Bits of a sample: 8, 16, 24, 32 or 64 (`Int`).
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether samples are big-endian (`Bool`).
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether samples are floating point (`Bool`).
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel stands in a buffer of its own (`Bool`).
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// The layout of channels. Accepted as an `AVAudioChannelLayout` on Linux; Apple wraps the C structure in `Data`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// How hard an encoder tries. Accepted and ignored on Linux: nothing here encodes lossily.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// Bits a second of a lossy encoder. Accepted and ignored on Linux.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"

/// The usual resampler; see `AVAudioConverter.sampleRateConverterAlgorithm`.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The best resampler; see `AVAudioConverter.sampleRateConverterAlgorithm`.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// The resampler of the least delay; on Linux the usual one.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"

/// Reads a settings dictionary, whose numbers may be any of Swift's or Foundation's kinds.
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

  /// A count or a code; nil where the key is missing or holds something else, such as a fraction or -1.
  func count(_ key: String) -> UInt32? { number(key).flatMap { UInt32(exactly: $0) } }

  func flag(_ key: String) -> Bool? {
    if let value = values[key] as? Bool { return value }
    return number(key).map { $0 != 0 }
  }
}
