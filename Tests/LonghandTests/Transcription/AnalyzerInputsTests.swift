import AVFAudio
import AudioStreams
import Foundation
import Testing

@testable import LonghandRecording
@testable import LonghandTranscription
@testable import Speech

@Suite struct AnalyzerInputsTests {
  /// A second of two tones at 44.1 kHz, in chunks of a tenth of a second.
  private struct Tones: AudioSource {
    let sampleRate = 44_100
    let duration = 1.0

    static let samples = (0..<44_100).map { frame in
      let time = Double(frame) / 44_100
      return Float(0.3 * sin(2 * .pi * 440 * time) + 0.3 * sin(2 * .pi * 3000 * time))
    }

    func chunks(from frame: Int64) -> AudioChunks {
      AudioChunks {
        var next = Int(frame)
        return {
          guard next < Self.samples.count else { return nil }
          defer { next += 4410 }
          return try AudioChunk(
            Array(Self.samples[next..<next + 4410]), start: Int64(next), sampleRate: 44_100)
        }
      }
    }
  }

  private func samples(_ buffers: [AVAudioPCMBuffer]) throws -> [Int16] {
    try buffers.flatMap { buffer in
      let channels = try #require(buffer.int16ChannelData)
      return Array(UnsafeBufferPointer(start: channels[0], count: Int(buffer.frameLength)))
    }
  }

  private func samples(of input: AnalyzerInput) throws -> [Int16] {
    try samples([try #require(input.audio?.buffer)])
  }

  /// A resampler that starts anew at every chunk distorts the audio at every seam.
  @Test func chunksAreResampledAsOneStream() async throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
    let whole = try AudioChunk(Tones.samples, start: 0, sampleRate: 44_100).buffer
    let conversion = try #require(AudioConversion(from: whole.format, to: format))
    let expected = try samples(try conversion.convert(whole) + conversion.finish())

    var found: [Int16] = []
    for try await input in AnalyzerInputs(
      audio: Tones(), start: 0, format: format, reportOppositePhase: { _ in })
    {
      found += try samples(of: input)
    }
    #expect(expected.count == 16_000)
    #expect(found.count == expected.count)
    #expect(zip(found, expected).count { abs(Int($0) - Int($1)) > 1 } == 0)
  }

  /// The silence of a pause would count as the noise of the room.
  @Test func pauseOfAGrowingRecordingIsNotProcessed() async throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inputs-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let recording = RecordingFolder(folder)
    let writer = try RecordingWriter(recording, NumberedRecording.manifest())
    let audio = RecordingAudio(recording, format: NumberedRecording.format)
    writer.append(NumberedRecording.samples(0..<16_050))
    try writer.flush()
    audio.grow(to: 16_050)
    let inputs = AnalyzerInputs(audio: audio, start: 0, format: format)
    var iterator = inputs.makeAsyncIterator()
    var first = 0
    while first < 16_000, let input = try await iterator.next() { first += try samples(of: input).count }
    writer.skip(32_000, .paused)
    writer.append(NumberedRecording.samples(48_050..<64_050))
    try writer.flush()
    audio.grow(to: writer.frames, gaps: writer.manifest.gaps)
    audio.end()
    var rest: [AnalyzerInput] = []
    while let input = try await iterator.next() { rest.append(input) }
    #expect(rest.compactMap { $0.bufferStartTime?.seconds } == [3])
    let count = try rest.reduce(0) { try $0 + samples(of: $1).count }
    #expect(count == 1600 + 16_050)
  }
}
