import AVFAudio
import AudioStreams
import Foundation
import LonghandTranscripts

/// Converts buffers of any format to the format of a recording.
///
/// A buffer that has this format already passes unchanged, with the device's times. Other buffers go through a converter.
/// The same converter is used until the format changes or audio is missing. The times of converted audio count the frames
/// of the output, and jump where audio is missing.
struct TapConversion {
  private let format: RecordingFormat
  private let target: AVAudioFormat?
  private var conversion: AudioConversion?
  /// The position of the next buffer on the device's clock, if nothing is missing.
  private var expected: Int64?
  /// The position of the next frame of the converter's output.
  private var position: Int64 = 0

  init(to format: RecordingFormat) {
    self.format = format
    let tag = kAudioChannelLayoutTag_DiscreteInOrder | UInt32(format.channels)
    let rate = Double(format.sampleRate)
    target =
      format.channels <= 2
      ? AVAudioFormat(standardFormatWithSampleRate: rate, channels: UInt32(format.channels))
      : AVAudioChannelLayout(layoutTag: tag).map {
        AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: $0)
      }
  }

  /// Whether a buffer of `source` has the recording's format, except for the type of its samples.
  private func isAsRecorded(_ source: AVAudioFormat) -> Bool {
    source.isStandard && Int(clamping: source.sampleRate.rounded()) == format.sampleRate
      && Int(source.channelCount) == format.channels
  }

  /// Converts a buffer that begins at `sampleTime` on the device's clock; nil if the time is unknown.
  /// - Throws: `CaptureError.unconvertible`.
  mutating func convert(_ buffer: AVAudioPCMBuffer, at sampleTime: Int64?) throws -> [CapturedAudio] {
    defer { expected = sampleTime.map { $0 + Int64(buffer.frameLength) } }
    if isAsRecorded(buffer.format) {
      let rest = try finish()
      return rest + [.samples(buffer.samples, at: sampleTime)]
    }
    var converted: [CapturedAudio] = []
    if conversion?.converter.inputFormat != buffer.format || sampleTime != expected {
      converted = try finish()
      try begin(buffer.format, at: sampleTime)
    }
    return try converted + pass(buffer)
  }

  /// Starts a new converter. The position of its first frame comes from the device's clock, but is never before the end
  /// of the earlier output.
  private mutating func begin(_ source: AVAudioFormat, at sampleTime: Int64?) throws {
    guard let target, let conversion = AudioConversion(from: source, to: target) else {
      throw CaptureError.unconvertible(to: format)
    }
    conversion.converter.downmix = true
    // The first samples are less exact, but the converter adds no time.
    conversion.converter.primeMethod = .none
    self.conversion = conversion
    guard let sampleTime else { return }
    position = max(
      position, Int64(clamping: (Double(sampleTime) * target.sampleRate / source.sampleRate).rounded()))
  }

  /// Ends the converter and returns the rest of its output.
  private mutating func finish() throws -> [CapturedAudio] {
    guard conversion != nil else { return [] }
    defer { conversion = nil }
    return try pass(nil)
  }

  /// Converts a buffer; nil returns the rest of the converter's output.
  private mutating func pass(_ buffer: AVAudioPCMBuffer?) throws -> [CapturedAudio] {
    guard let conversion else { return [] }
    guard let buffers = try? buffer.map(conversion.convert) ?? conversion.finish() else {
      throw CaptureError.unconvertible(to: format)
    }
    return buffers.map { buffer in
      defer { position += Int64(buffer.frameLength) }
      return .samples(buffer.samples, at: position)
    }
  }
}
