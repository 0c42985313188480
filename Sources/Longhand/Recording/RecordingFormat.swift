import AVFAudio
import Foundation

/// How the samples of a recording are laid out: whole numbers of 16 bits, the channels of a frame beside each other.
public struct RecordingFormat: Sendable, Hashable, Codable {
  /// Bytes of a sample.
  static let sampleBytes = 2

  /// Frames a second (Hz).
  public var sampleRate: Int
  /// Samples of a frame.
  public var channels: Int

  /// Each field by its name.
  public init(sampleRate: Int, channels: Int) {
    self.sampleRate = sampleRate
    self.channels = channels
  }

  /// Bytes of a frame.
  public var frameBytes: Int { Self.sampleBytes * channels }

  /// The samples in `bytes`: 16 bits each, little-endian. An odd last byte is ignored.
  static func samples(in bytes: Data) -> [Int16] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / sampleBytes).map {
        Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * sampleBytes, as: Int16.self))
      }
    }
  }

  /// How many frames so many bytes hold; a part of one does not count.
  func frames(inBytes bytes: some BinaryInteger) -> Int64 { Int64(bytes) / Int64(frameBytes) }

  /// Where a frame begins in the file, in bytes.
  func place(of frame: Int64) -> UInt64 { UInt64(WaveHeader.length) + UInt64(frame) * UInt64(frameBytes) }

  /// The head of a file of so many frames.
  func header(frames: Int64) -> Data {
    let dataBytes = UInt64(frames) * UInt64(frameBytes)
    return Data(WaveHeader(sampleRate: sampleRate, channels: channels, dataBytes: dataBytes).bytes)
  }

  /// How many seconds so many frames last.
  public func seconds(_ frames: Int64) -> TimeInterval { Double(frames) / Double(sampleRate) }

  /// The mean of the channels, from -1 to 1.
  /// - Parameter bytes: whole frames in this format.
  func mono(_ bytes: Data) -> [Float] {
    let samples = Self.samples(in: bytes)
    return stride(from: 0, to: samples.count, by: channels).map { start in
      let sum = samples[start..<start + channels].reduce(Int32(0)) { $0 + Int32($1) }
      return Float(sum) / Float(32_768 * channels)
    }
  }
}

/// How loud sound is.
enum LevelMeter {
  /// The root mean square of samples in dBFS, where a square wave of full scale has 0.
  /// - Parameter samples: 16 bits each, the little end first.
  /// - Returns: minus infinity for digital silence and for no sample at all.
  static func decibels(_ samples: Data) -> Double {
    let samples = RecordingFormat.samples(in: samples)
    guard !samples.isEmpty else { return -.infinity }
    let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * log10(sum / Double(samples.count) / (32_768 * 32_768))
  }
}

extension AVAudioPCMBuffer {
  /// Its samples as a recording has them: numbers of 16 bits, the little end first, the channels of a frame beside each
  /// other. Empty if they are not floating-point numbers.
  var samples: Data {
    guard let channels = floatChannelData else { return Data() }
    let count = Int(format.channelCount)
    var samples = [Int16](repeating: 0, count: Int(frameLength) * count)
    for channel in 0..<count {
      for frame in 0..<Int(frameLength) {
        let sample = (channels[channel][frame * stride] * 32_768).rounded()
        samples[frame * count + channel] = Int16(max(-32_768, min(32_767, sample))).littleEndian
      }
    }
    return samples.withUnsafeBytes { Data($0) }
  }
}
