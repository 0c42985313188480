import AVFAudio
import AudioStreams
import Foundation
import LonghandTranscripts

/// The format of a recording: 16-bit integer samples, interleaved.
public struct RecordingFormat: Sendable, Hashable, Codable {
  /// Bytes per sample.
  static let sampleBytes = 2

  /// Frames per second (Hz).
  public var sampleRate: Int
  /// Samples per frame.
  public var channels: Int

  /// Creates a format; a recording can have 1,000 to 768,000 Hz and 1 to 64 channels.
  public init(sampleRate: Int, channels: Int) {
    self.sampleRate = sampleRate
    self.channels = channels
  }

  /// Whether a recording can have this format.
  var isSupported: Bool {
    AudioLimits.sampleRates.contains(sampleRate) && AudioLimits.channelCounts.contains(channels)
  }

  /// Bytes per frame.
  public var frameBytes: Int { Self.sampleBytes * channels }

  /// The samples in `bytes`: 16 bits each, little-endian. An odd last byte is ignored.
  static func samples(in bytes: Data) -> [Int16] {
    // All platforms are little-endian.
    let count = bytes.count / sampleBytes
    return [Int16](unsafeUninitializedCapacity: count) { samples, initializedCount in
      bytes.copyBytes(to: UnsafeMutableRawBufferPointer(samples), count: count * sampleBytes)
      initializedCount = count
    }
  }

  /// The number of whole frames in a number of bytes.
  func frames(inBytes bytes: some BinaryInteger) -> Int64 { Int64(bytes) / Int64(frameBytes) }

  /// The number of bytes of some seconds of audio, in whole frames.
  func bytes(_ seconds: TimeInterval) -> Int { Int(clamping: seconds * Double(sampleRate)) * frameBytes }

  /// The offset of a frame in the file, in bytes.
  func offset(of frame: Int64) -> UInt64 { UInt64(WaveHeader.length) + UInt64(frame) * UInt64(frameBytes) }

  /// The header of a file with a number of frames.
  func header(frames: Int64) -> Data {
    let dataBytes = UInt64(frames) * UInt64(frameBytes)
    return Data(WaveHeader(sampleRate: sampleRate, channels: channels, dataBytes: dataBytes).bytes)
  }

  /// The duration of a number of frames, in seconds.
  public func seconds(_ frames: Int64) -> TimeInterval { Double(frames) / Double(sampleRate) }

  /// The mean of the channels, from -1 to 1.
  /// - Parameter bytes: whole frames in this format.
  func mono(_ bytes: Data) -> [Float] {
    guard channels > 1 else { return samples(bytes, ofChannel: 0) }
    let samples = Self.samples(in: bytes)
    return stride(from: 0, to: samples.count, by: channels).map { start in
      let sum = samples[start..<start + channels].reduce(Int32(0)) { $0 + Int32($1) }
      return Float(sum) / Float(32_768 * channels)
    }
  }
}

extension RecordingFormat {
  /// The greatest sample of 16-bit samples, from 0 to 1.
  static func peak(_ bytes: Data) -> Float {
    let samples = samples(in: bytes)
    var peak = 0
    samples.withUnsafeBufferPointer { samples in
      var index = 0
      while index < samples.count {
        let sample = Int(samples[index])
        let magnitude = sample < 0 ? -sample : sample
        if magnitude > peak { peak = magnitude }
        index += 1
      }
    }
    return Float(peak) / 32_768
  }

  /// The samples of one channel, from -1 to 1.
  /// - Parameter bytes: whole frames in this format.
  func samples(_ bytes: Data, ofChannel channel: Int) -> [Float] {
    let samples = Self.samples(in: bytes)
    // Not `map` over a stride, which costs a debug program ten times as much.
    return [Float](unsafeUninitializedCapacity: samples.count / channels) { result, count in
      samples.withUnsafeBufferPointer { samples in
        while count < samples.count / channels {
          result[count] = Float(Int(samples[count * channels + channel])) / 32_768
          count += 1
        }
      }
    }
  }
}

/// Channels with opposite phases.
extension RecordingFormat {
  /// The format of a buffer that has the same bytes as the file; nil for one channel, which needs no mixing.
  var bufferFormat: AVAudioFormat? {
    guard channels > 1 else { return nil }
    let tag = kAudioChannelLayoutTag_DiscreteInOrder | UInt32(channels)
    return AVAudioChannelLayout(layoutTag: tag).map {
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: Double(sampleRate), interleaved: true, channelLayout: $0)
    }
  }

  /// The samples with the strongest channel in all channels where a mix of the channels would cancel.
  /// - Parameter layout: the `bufferFormat`.
  func corrected(_ samples: Data, by phase: PhaseCorrection, _ layout: AVAudioFormat) -> Data {
    let frames = AVAudioFrameCount(self.frames(inBytes: samples.count))
    guard let buffer = AVAudioPCMBuffer(pcmFormat: layout, frameCapacity: frames),
      let target = buffer.int16ChannelData?[0]
    else { return samples }
    buffer.frameLength = frames
    _ = samples.copyBytes(to: UnsafeMutableRawBufferPointer(start: target, count: samples.count))
    let corrected = phase.correct(buffer)
    guard corrected !== buffer, let result = corrected.int16ChannelData?[0] else { return samples }
    return Data(bytes: result, count: samples.count)
  }
}

/// The level of audio.
package enum LevelMeter {
  /// The root mean square of samples, in dBFS. A square wave at full scale has 0 dBFS.
  /// - Parameter samples: 16 bits each, little-endian.
  /// - Returns: minus infinity for digital silence and for empty data.
  package static func decibels(_ samples: Data) -> Double {
    let samples = RecordingFormat.samples(in: samples)
    guard !samples.isEmpty else { return -.infinity }
    var sum = 0.0
    samples.withUnsafeBufferPointer { samples in
      var index = 0
      while index < samples.count {
        let sample = Double(Int(samples[index]))
        sum += sample * sample
        index += 1
      }
    }
    return 10 * log10(sum / Double(samples.count) / (32_768 * 32_768))
  }
}

extension AVAudioPCMBuffer {
  /// The samples in the format of a recording: 16-bit integers, little-endian, interleaved. Empty if the buffer does not
  /// have floating-point samples.
  package var samples: Data {
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
