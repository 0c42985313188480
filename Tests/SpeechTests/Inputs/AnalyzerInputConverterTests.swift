import AVFoundation
import Testing

@testable import Speech

@Suite struct AnalyzerInputConverterTests {
  private static func tone(_ rate: Double, frames: Int, channels: AVAudioChannelCount = 1) throws
    -> AVAudioPCMBuffer
  {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
    buffer.frameLength = buffer.frameCapacity
    for channel in 0..<Int(channels) {
      for frame in 0..<frames {
        buffer.floatChannelData?[channel][frame] = sin(2 * .pi * 440 * Float(frame) / Float(rate)) * 0.5
      }
    }
    return buffer
  }

  private func seconds(_ inputs: [AnalyzerInput]) -> Double {
    inputs.reduce(0) { $0 + $1.bufferDuration.seconds }
  }

  @Test(arguments: [44_100.0, 48_000, 11_025, 16_000])
  func streamKeepsItsLengthAndItsTimes(_ rate: Double) throws {
    let converter = AnalyzerInputConverter(analyzerFormat: AudioIntake.format)
    var inputs: [AnalyzerInput] = []
    for index in 0..<50 {
      let time = AVAudioTime(sampleTime: Int64(rate) + Int64(index) * 1024, atRate: rate)
      inputs += try converter.convert(Self.tone(rate, frames: 1024, channels: 2), at: time)
    }
    // What the resampler holds comes at the end only.
    let held = try converter.flush()
    #expect(abs(seconds(inputs + held) - 50 * 1024 / rate) < 0.001)
    #expect(abs(seconds(inputs) - 50 * 1024 / rate) < 0.05)
    #expect(held.isEmpty == (rate == 16_000))
    #expect((inputs + held).allSatisfy { $0.bufferFormat == AudioIntake.format })
    // Each begins where the one before ends, from the time that was given.
    var end = CMTime(value: 1, timescale: 1)
    for input in inputs + held {
      #expect(try #require(input.bufferStartTime) == end)
      end = end + input.bufferDuration
    }
    #expect(try converter.flush().isEmpty)
  }

  @Test func gapAndNewFormatBeginANewConversion() throws {
    var created: [Double] = []
    let converter = AnalyzerInputConverter(analyzerFormat: AudioIntake.format) { new in
      created.append(new.inputFormat.sampleRate)
      new.sampleRateConverterQuality = AVAudioQuality.min.rawValue
    }
    let tone = try Self.tone(48_000, frames: 4800)
    #expect(try converter.convert(tone, at: nil).allSatisfy { $0.bufferStartTime == nil })
    #expect(try converter.convert(tone, at: nil).allSatisfy { $0.bufferStartTime == nil })
    let later = try converter.convert(tone, at: AVAudioTime(sampleTime: 96_000, atRate: 48_000))
    #expect(later.first?.bufferStartTime == nil, "the rest of what came before")
    #expect(later.last?.bufferStartTime?.seconds == 2)
    // By the machine's clock times are not exact.
    let clock = AVAudioTime(hostTime: AVAudioTime.hostTime(forSeconds: 2.105))
    #expect(try converter.convert(tone, at: clock).allSatisfy { ($0.bufferStartTime?.seconds ?? 0) < 2.2 })
    #expect(created == [48_000, 48_000])
    let other = try Self.tone(44_100, frames: 4410)
    #expect(try converter.convert(other, at: nil).last?.bufferStartTime == nil)
    #expect(created == [48_000, 48_000, 44_100])
    #expect(try !converter.flush().isEmpty)
    #expect(
      try converter.convert(#require(AVAudioPCMBuffer(pcmFormat: tone.format, frameCapacity: 1)), at: nil)
        .isEmpty)
  }

  @Test func converterOfModulesHasTheirFormat() async throws {
    let converter = try await AnalyzerInputConverter.converter(compatibleWith: [SpeechDetector()])
    let inputs = try converter.convert(Self.tone(16_000, frames: 160), at: nil) + converter.flush()
    #expect(inputs.map(\.bufferFormat) == [AudioIntake.format])
    let uninstalled = SpeechTranscriber(locale: Locale(identifier: "xx-XX"), preset: .transcription)
    let error = await #expect(throws: SFSpeechError.self) {
      _ = try await AnalyzerInputConverter.converter(compatibleWith: [uninstalled])
    }
    #expect(error?.code == .incompatibleAudioFormats)
    #expect(error?.localizedDescription.contains("AssetInventory") == true)
  }
}
