import AVFAudio
import Foundation
import Testing

@testable import LonghandRecording

@Suite struct TapConversionTests {
  private var conversion = TapConversion(to: RecordingFormat(sampleRate: 16_000, channels: 1))

  /// A buffer of a 440 Hz tone that begins at a position on the device's clock.
  private func buffer(at place: Int64, frames: Int, rate: Double, channels: UInt32) throws -> AVAudioPCMBuffer
  {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(frames)))
    buffer.frameLength = UInt32(frames)
    for channel in 0..<Int(channels) {
      for frame in 0..<frames {
        buffer.floatChannelData?[channel][frame] =
          0.5 * Float(sin(2 * .pi * 440 * Double(place + Int64(frame)) / rate))
      }
    }
    return buffer
  }

  /// The samples of converted audio, and its position.
  private func piece(_ sound: CapturedAudio) throws -> (place: Int64, samples: [Int16]) {
    guard case .samples(let data, at: let place?) = sound else { throw CocoaError(.coderInvalidValue) }
    return (place, data.withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Int16(littleEndian: $0) } })
  }

  @Test mutating func bufferInTheRecordingsFormatPassesUnchanged() throws {
    let buffer = try buffer(at: 700, frames: 100, rate: 16_000, channels: 1)
    #expect(try conversion.convert(buffer, at: 700) == [.samples(buffer.samples, at: 700)])
  }

  /// Three seconds in another format, a second of nothing, and three more: exactly this second is missing, and every sample
  /// equals the one in the recording's format.
  @Test(arguments: [(48_000.0, UInt32(2)), (44_100.0, UInt32(1)), (8000.0, UInt32(2))])
  mutating func otherFormatIsConvertedWithoutAGap(_ rate: Double, _ channels: UInt32) throws {
    var pieces: [(place: Int64, samples: [Int16])] = []
    let length = Int(rate / 10)
    for tenth in Array(0..<30) + Array(40..<70) {
      let place = Int64(tenth * length) + Int64(rate)
      let buffer = try buffer(at: place, frames: length, rate: rate, channels: channels)
      pieces += try conversion.convert(buffer, at: place).map(piece)
    }
    // Back in the recording's format: the rest of the converter's output comes first.
    let last = try buffer(at: 8 * 16_000, frames: 1600, rate: 16_000, channels: 1)
    pieces += try conversion.convert(last, at: 8 * 16_000).map(piece)

    #expect(pieces.first?.place == 16_000)
    var missing: [Int64] = []
    for (piece, next) in zip(pieces, pieces.dropFirst()) {
      let jump = next.place - piece.place - Int64(piece.samples.count)
      if jump != 0 { missing.append(jump) }
    }
    #expect(missing.count == 1, "\(missing)")
    #expect(missing.allSatisfy { abs($0 - 16_000) <= 1 }, "\(missing)")
    var worst = 0.0
    for piece in pieces {
      for (offset, sample) in piece.samples.enumerated() {
        let frame = piece.place + Int64(offset)
        // The resampler rings at both ends.
        guard [16_400..<63_600, 80_400..<127_600].contains(where: { $0.contains(frame) }) else { continue }
        let expected = 16_384 * sin(2 * .pi * 440 * Double(frame) / 16_000)
        worst = max(worst, abs(expected - Double(sample)))
      }
    }
    #expect(worst < 200)
  }
}
