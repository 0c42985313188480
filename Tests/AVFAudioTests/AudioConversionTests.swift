import AVFAudio
import AudioStreams
import Testing

@Suite struct AudioConversionTests {
  /// At 100 Hz the resampler holds back more frames of output than one buffer has room for.
  @Test func finishReturnsEveryFrameThatWasHeldBack() throws {
    let source = try #require(AVAudioFormat(standardFormatWithSampleRate: 100, channels: 1))
    let target = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let conversion = try #require(AudioConversion(from: source, to: target))
    let input = try AVAudioPCMBuffer.make([(0..<50).map { Float($0) / 50 }], rate: 100)
    let converted = try conversion.convert(input)
    let rest = try conversion.finish()
    #expect(rest.count > 1)
    #expect((converted + rest).reduce(0) { $0 + Int($1.frameLength) } == 24_000)
  }

  @Test func aBufferOfAnotherFormatIsAnError() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
    let conversion = try #require(AudioConversion(from: format, to: format))
    let other = try AVAudioPCMBuffer.make([[0, 0]], rate: 8000)
    #expect(throws: AudioConversionError.self) { try conversion.convert(other) }
  }
}
