import AVFoundation
import Testing

@testable import Speech

/// Reads what an input has. `buffer` is deprecated, but must work.
@available(*, deprecated) private struct OldInput {
  static func buffer(of input: AnalyzerInput) -> AVAudioPCMBuffer { input.buffer }
}

@Suite struct AnalyzerInputTests {
  private let start = CMTime(value: 3, timescale: 1)

  private func samples(_ buffer: AVAudioPCMBuffer?) -> [Int16] {
    guard let buffer, let channels = buffer.int16ChannelData else { return [] }
    return Array(UnsafeBufferPointer(start: channels[0], count: Int(buffer.frameLength)))
  }

  @available(*, deprecated) @Test func inputIsACopyOfItsBuffer() throws {
    let buffer = try Recordings.buffer([1, 2, 3, 4])
    let input = AnalyzerInput(buffer: buffer, bufferStartTime: start)
    buffer.int16ChannelData?[0][0] = 99
    #expect(samples(input.audio?.buffer) == [1, 2, 3, 4])
    #expect(input.bufferDuration == CMTime(value: 4, timescale: 16_000))
    #expect(input.bufferFormat == buffer.format)
    #expect(input.bufferStartTime == start)
    #expect(AnalyzerInput(buffer: buffer).bufferStartTime == nil)
    // Each read is a new copy.
    let copy = OldInput.buffer(of: input)
    copy.int16ChannelData?[0][0] = 99
    #expect(samples(copy) == [99, 2, 3, 4])
    #expect(samples(OldInput.buffer(of: input)) == [1, 2, 3, 4])
  }

  private func ready(_ format: AVAudioFormat, _ bytes: Data, count: Int) throws
    -> CMReadySampleBuffer<CMReadOnlyDataBlockBuffer>
  {
    CMReadySampleBuffer(
      audioDataBuffer: CMReadOnlyDataBlockBuffer(bytes),
      formatDescription: try CMFormatDescription(
        audioStreamBasicDescription: format.streamDescription.pointee),
      sampleCount: count, presentationTimeStamp: start)
  }

  @Test func readySampleBufferIsAnInputAtItsTime() throws {
    let planar = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: false))
    // One channel after the other.
    let bytes = [Int16](arrayLiteral: 1, 2, 3, 10, 20, 30).withUnsafeBytes { Data($0) }
    let input = AnalyzerInput(buffer: try ready(planar, bytes, count: 3))
    #expect(input.bufferStartTime == start)
    #expect(input.bufferDuration == CMTime(value: 3, timescale: 48_000))
    #expect(input.bufferFormat == planar)
    let channels = try #require(input.audio?.buffer.int16ChannelData)
    #expect((0..<3).map { channels[0][$0] } == [1, 2, 3])
    #expect((0..<3).map { channels[1][$0] } == [10, 20, 30])
  }

  @available(*, deprecated) @Test(arguments: [true, false])
  func sampleBufferWithoutUsableAudioEndsTheSession(_ isTooShort: Bool) async throws {
    var compressed = AudioStreamBasicDescription()
    compressed.mSampleRate = 16_000
    compressed.mFormatID = kAudioFormatMPEG4AAC
    compressed.mFramesPerPacket = 1024
    compressed.mChannelsPerFrame = 1
    let aac = try #require(AVAudioFormat(streamDescription: &compressed))
    let input = AnalyzerInput(
      buffer: try ready(isTooShort ? AudioIntake.format : aac, Data(count: 6), count: 4))
    #expect(OldInput.buffer(of: input).frameLength == 0)
    let analyzer = SpeechAnalyzer(modules: [SpeechDetector()])
    await #expect {
      _ = try await analyzer.analyzeSequence(AsyncStream { $0.yield(input) })
    } throws: { SFSpeechError.unexpectedAudioFormat ~= $0 }
  }

  @Test func optionsOfTranscriptionAreAConstant() {
    #expect(SpeechTranscriber.TranscriptionOption.allCases == [.etiquetteReplacements])
  }
}
