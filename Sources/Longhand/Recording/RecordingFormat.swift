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
