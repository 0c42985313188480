import AVFAudio
import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandRecording

@Suite struct AudioSourceTests {
  private static func data(_ samples: [Int16]) -> Data {
    samples.map(\.littleEndian).withUnsafeBytes { Data($0) }
  }

  private static func format(_ channels: Int) -> RecordingFormat {
    RecordingFormat(sampleRate: 8000, channels: channels)
  }

  @Test func monoSamplesAreUnchanged() {
    #expect(Self.format(1).mono(Self.data([-32_768, 0, 16_384])) == [-1, 0, 0.5])
  }

  @Test func stereoBecomesTheMeanOfItsChannels() {
    let samples = Self.data([-32_768, -32_768, 16_384, 0, 8192, -8192, 32_767, 32_767])
    #expect(Self.format(2).mono(samples) == [-1, 0.25, 0, 32_767.0 / 32_768])
  }

  @Test func dataSliceIsReadFromItsStart() {
    #expect(Self.format(2).mono(Self.data([1, 2, 16_384, 8192]).suffix(4)) == [0.375])
  }

  @Test func chunkHasTheSamplesAndRateOfItsSource() throws {
    let chunk = try AudioChunk([0.25, -0.25], start: 7, sampleRate: 8000)
    #expect(chunk.end == 9)
    #expect(chunk.buffer.format.sampleRate == 8000)
    #expect(chunk.buffer.format.channelCount == 1)
    #expect(chunk.mono == [0.25, -0.25])
  }

  /// Half a second of numbered samples, each 1/32,768 more than the one before, on two channels of opposite sign but one.
  private func file() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).wav")
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 2))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4000))
    let channels = try #require(buffer.floatChannelData)
    buffer.frameLength = 4000
    for frame in 0..<4000 {
      channels[0][frame] = Float(frame) / 16_384
      channels[1][frame] = 0
    }
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8000, AVNumberOfChannelsKey: 2,
      AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
    ]
    try AVAudioFile(forWriting: url, settings: settings).write(from: buffer)
    return url
  }

  @Test(arguments: [0, 1, 799, 800, 801, 3999, 4000])
  func fileChunksStartAtMultiplesOfATenthFromAnyFrame(_ start: Int64) async throws {
    let url = try file()
    defer { try? FileManager.default.removeItem(at: url) }
    let source = try AudioFileSource(url)
    #expect(source.duration == 0.5)
    #expect(source.channels == 2)
    var next = start
    for try await chunk in source.chunks(from: start) {
      #expect(chunk.start == next)
      next = chunk.end
      #expect(next % 800 == 0)
      #expect(chunk.mono.first == Float(chunk.start) / 32_768)
    }
    #expect(next == 4000)
  }

  @Test func concurrentReadersOfAFileAreIndependent() async throws {
    let url = try file()
    defer { try? FileManager.default.removeItem(at: url) }
    let source = try AudioFileSource(url)
    var first = source.chunks(from: 0).makeAsyncIterator()
    var second = source.chunks(from: 1600).makeAsyncIterator()
    #expect(try await first.next()?.start == 0)
    #expect(try await second.next()?.mono.first == 1600 / 32_768)
    #expect(try await first.next()?.mono.first == 800 / 32_768)
    #expect(try await second.next()?.mono.first == 2400 / 32_768)
  }

  /// A header alone.
  @Test func partWithoutAudioIsNotJoined() throws {
    let url = try file()
    defer { try? FileManager.default.removeItem(at: url) }
    let empty = url.deletingPathExtension().appendingPathExtension("empty.wav")
    defer { try? FileManager.default.removeItem(at: empty) }
    try AVAudioFile(forWriting: empty, settings: [AVSampleRateKey: 8000, AVNumberOfChannelsKey: 2]).close()
    #expect(try AudioFileSource(empty).duration == 0)
    #expect(throws: TranscriptionError.undecodable("'\(empty.lastPathComponent)': it contains no audio")) {
      try AudioFileSource(joining: [url, empty])
    }
    #expect(try AudioFileSource(joining: [url, url]).duration == 1)
  }

  #if os(Linux)
    /// A decoder that ends meanwhile must not make the file empty.
    @Test func fileThatIsNotDecodedToItsEndIsAnError() throws {
      let url = try file()
      defer { try? FileManager.default.removeItem(at: url) }
      let closed = try AVAudioFile(forReading: url)
      closed.close()
      #expect(throws: TranscriptionError.undecodable("it is not open for reading")) {
        try AudioTrackReader(url, track: nil, file: closed)
      }
    }
  #endif

  @Test func missingFileIsUnreadableAndTextFileIsUndecodable() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).wav")
    #expect(throws: TranscriptionError.unreadable("no such file, or it may not be read")) {
      try AudioFileSource(url)
    }
    try Data("no audio at all".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let error = #expect(throws: TranscriptionError.self) { try AudioFileSource(url) }
    guard case .undecodable(let why)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!why.contains(url.path))
  }
}
