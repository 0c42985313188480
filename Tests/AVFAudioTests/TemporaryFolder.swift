import AVFAudio
import TestSupport

/// A folder of one test, removed with it; makes sound files.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("avfaudio-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  func write(_ bytes: [UInt8], to name: String) throws -> URL {
    try Data(bytes).write(to: file(name))
    return file(name)
  }

  /// A sweep upwards, each channel a little different, whose every place sounds unlike the others.
  static func sweep(frames: Int, rate: Double, channels: Int = 1, amplitude: Float = 0.5) -> [[Float]] {
    (0..<channels).map { channel in
      (0..<frames).map { frame in
        let time = Double(frame) / rate
        return amplitude * Float(sin(2 * .pi * (200 + 150 * time + 50 * Double(channel)) * time))
      }
    }
  }

  /// Writes a sweep through `AVAudioFile`.
  @discardableResult
  func sweep(
    _ name: String, frames: Int, rate: Double = 16_000, channels: Int = 1, settings: [String: Any] = [:]
  ) throws -> URL {
    let all = [AVSampleRateKey: rate, AVNumberOfChannelsKey: channels].merging(settings) { $1 }
    let file = try AVAudioFile(forWriting: self.file(name), settings: all)
    let samples = Self.sweep(frames: frames, rate: rate, channels: channels)
    try file.write(from: AVAudioPCMBuffer.make(samples, rate: rate))
    file.close()
    return self.file(name)
  }

  /// Encodes `source` with the `ffmpeg` program.
  func encode(_ source: URL, to name: String, _ arguments: [String] = []) throws -> URL {
    let target = file(name)
    try Program.output(
      of: ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", source.path] + arguments + [target.path])
    return target
  }
}

extension AVAudioPCMBuffer {
  /// A buffer of the standard format, or of a layout of channels in order where there are more than two.
  static func make(_ samples: [[Float]], rate: Double) throws -> AVAudioPCMBuffer {
    let layout = AVAudioChannelLayout(
      layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(samples.count))
    let format =
      samples.count <= 2
      ? AVAudioFormat(standardFormatWithSampleRate: rate, channels: UInt32(samples.count))
      : layout.map { AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: $0) }
    guard let format,
      let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(samples[0].count))
    else { throw CocoaError(.coderInvalidValue) }
    buffer.frameLength = buffer.frameCapacity
    for (channel, values) in samples.enumerated() {
      for (frame, value) in values.enumerated() { buffer.floatChannelData?[channel][frame] = value }
    }
    return buffer
  }

  /// The samples of one channel of a 32-bit floating-point buffer.
  func samples(_ channel: Int = 0) -> [Float] {
    guard let data = floatChannelData, channel < Int(format.channelCount) else { return [] }
    return (0..<Int(frameLength)).map { data[channel][$0 * stride] }
  }
}

extension AVAudioFile {
  /// Reads to the end in pieces of `piece` frames.
  func rest(_ channel: Int = 0, piece: UInt32 = 4096) throws -> [Float] {
    guard let buffer = AVAudioPCMBuffer(pcmFormat: processingFormat, frameCapacity: piece) else { return [] }
    var samples: [Float] = []
    while true {
      try read(into: buffer)
      if buffer.frameLength == 0 { return samples }
      samples += buffer.samples(channel)
    }
  }
}

/// The largest difference; infinite where the lengths differ.
func difference(_ left: some Collection<Float>, _ right: some Collection<Float>) -> Float {
  left.count == right.count ? zip(left, right).map { abs($0 - $1) }.max() ?? 0 : .infinity
}
