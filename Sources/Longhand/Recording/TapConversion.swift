import AVFAudio
import AudioStreams
import Foundation

/// Brings buffers of any format into that of a recording.
///
/// What is already in it passes as it is, with the device's own times. What is not goes through a converter, one for all
/// buffers of a format without a hole; its times count what came out, and jump by what is missing in between.
struct TapConversion {
  private let format: RecordingFormat
  private let target: AVAudioFormat?
  private var conversion: AudioConversion?
  /// Where the next buffer begins on the device's clock, if nothing is missing.
  private var expected: Int64?
  /// The place of the next frame that comes out of the converter.
  private var place: Int64 = 0

  /// To the format of a recording.
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

  /// Whether a buffer of `source` is laid out as the recording but for the size of its numbers.
  private func isAsRecorded(_ source: AVAudioFormat) -> Bool {
    source.isStandard && Int(source.sampleRate.rounded()) == format.sampleRate
      && Int(source.channelCount) == format.channels
  }

  /// What becomes of a buffer that begins at `sampleTime` of the device's clock, nil where that is not known.
  /// - Throws: `CaptureError.unconvertible`.
  mutating func convert(_ buffer: AVAudioPCMBuffer, at sampleTime: Int64?) throws -> [CapturedSound] {
    defer { expected = sampleTime.map { $0 + Int64(buffer.frameLength) } }
    if isAsRecorded(buffer.format) {
      let rest = try finish()
      return rest + [.samples(buffer.samples, at: sampleTime)]
    }
    var sounds: [CapturedSound] = []
    if conversion?.converter.inputFormat != buffer.format || sampleTime != expected {
      sounds = try finish()
      try begin(buffer.format, at: sampleTime)
    }
    return try sounds + pass(buffer)
  }

  /// A new stretch of sound: the place of its first frame follows from the device's clock, but is never before the end
  /// of what came out already.
  private mutating func begin(_ source: AVAudioFormat, at sampleTime: Int64?) throws {
    guard let target, let conversion = AudioConversion(from: source, to: target) else {
      throw CaptureError.unconvertible(to: format)
    }
    conversion.converter.downmix = true
    // What it begins with may be less exact, but no time is added.
    conversion.converter.primeMethod = .none
    self.conversion = conversion
    guard let sampleTime else { return }
    place = max(place, Int64((Double(sampleTime) * target.sampleRate / source.sampleRate).rounded()))
  }

  /// What the converter holds back, when no more goes into it.
  private mutating func finish() throws -> [CapturedSound] {
    guard conversion != nil else { return [] }
    defer { conversion = nil }
    return try pass(nil)
  }

  /// Puts a buffer through the converter, or gets what is left in it.
  private mutating func pass(_ buffer: AVAudioPCMBuffer?) throws -> [CapturedSound] {
    guard let conversion else { return [] }
    guard let buffers = try? buffer.map(conversion.convert) ?? conversion.finish() else {
      throw CaptureError.unconvertible(to: format)
    }
    return buffers.map { buffer in
      defer { place += Int64(buffer.frameLength) }
      return .samples(buffer.samples, at: place)
    }
  }
}
