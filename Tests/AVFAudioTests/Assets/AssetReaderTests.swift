import TestSupport
import Testing

@testable import AVFoundation

@Suite(.tagged(.childProcess)) struct AssetReaderTests {
  private static func samples(_ output: AVAssetReaderTrackOutput) -> [CMSampleBuffer] {
    Array(AnyIterator { output.copyNextSampleBuffer() })
  }

  private static func integers(_ buffers: [CMSampleBuffer]) throws -> [Int16] {
    try buffers.flatMap { buffer in
      try buffer.dataBuffer?.withContiguousStorage { Array($0.bindMemory(to: Int16.self)) } ?? []
    }
  }

  /// The track of a recording, and its reader with an output.
  private static func reader(
    _ url: URL, _ settings: [String: Any]?
  ) async throws -> (AVAssetReader, AVAssetReaderTrackOutput) {
    let asset = AVURLAsset(url: url)
    let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
    #expect(reader.canAdd(output))
    reader.add(output)
    return (reader, output)
  }

  @Test func bothFormsOfThePropertiesAreEqual() async throws {
    let folder = try TemporaryFolder()
    let wave = try folder.sweep("a.wav", frames: 66_150, rate: 44_100, channels: 2)
    let asset = AVURLAsset(url: try folder.encode(wave, to: "a.m4a"))
    let (duration, tracks) = try await asset.load(.duration, .tracks)
    // An encoder of AAC may add a part of a packet.
    #expect(abs(duration.seconds - 1.5) < 0.05)
    #expect(asset.duration == duration)
    #expect(asset.tracks(withMediaType: .video).isEmpty)
    let track = try #require(tracks.first)
    #expect(track.asset === asset)
    #expect(try await track.load(.timeRange) == CMTimeRange(start: .zero, duration: duration))
    #expect(try await track.load(.naturalTimeScale) == 44_100)
    let format = try await track.load(.formatDescriptions).first?.audioStreamBasicDescription
    #expect(format?.mFormatID == kAudioFormatMPEG4AAC)
    #expect(format?.mChannelsPerFrame == 2)
    #expect(try await asset.load(.isPlayable))
  }

  @Test func samplesOfAWaveFileAreUnchanged() async throws {
    let folder = try TemporaryFolder()
    let url = try folder.sweep("a.wav", frames: 40_000)
    let (reader, output) = try await Self.reader(url, nil)
    #expect(reader.status == .unknown)
    #expect(reader.startReading())
    #expect(reader.status == .reading)
    let buffers = Self.samples(output)
    #expect(reader.status == .completed)
    let bytes = try Data(contentsOf: url).suffix(80_000)
    #expect(try Self.integers(buffers) == bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) })
    for (buffer, next) in zip(buffers, buffers.dropFirst()) {
      #expect(next.presentationTimeStamp == buffer.presentationTimeStamp + buffer.duration)
    }
  }

  @Test func settingsConvertAndTheTimeRangeCuts() async throws {
    let folder = try TemporaryFolder()
    let url = try folder.sweep("a.wav", frames: 88_200, rate: 44_100, channels: 2)
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
    ]
    let (reader, output) = try await Self.reader(url, settings)
    reader.timeRange = CMTimeRange(
      start: CMTime(value: 1, timescale: 2), duration: CMTime(value: 1, timescale: 1))
    reader.startReading()
    let buffers = Self.samples(output)
    #expect(buffers.first?.presentationTimeStamp.seconds == 0.5)
    #expect(try Self.integers(buffers).count == 16_000)
    #expect(buffers.first?.formatDescription?.audioStreamBasicDescription?.mSampleRate == 16_000)
  }

  /// Start and duration, of which no file has such a frame, and how many samples are read of 40,000.
  private static let extremeRanges: [(CMTime, CMTime, Int)] = [
    (.positiveInfinity, .positiveInfinity, 0), (.indefinite, .indefinite, 40_000),
    (.negativeInfinity, CMTime(value: .max, timescale: 1), 40_000),
    (CMTime(value: .max, timescale: 1), .zero, 0), (.zero, CMTime(value: -5, timescale: 1), 0),
  ]

  @Test(arguments: extremeRanges)
  func extremeTimeRangesAreCutToTheFile(start: CMTime, duration: CMTime, count: Int) async throws {
    let folder = try TemporaryFolder()
    let (reader, output) = try await Self.reader(try folder.sweep("a.wav", frames: 40_000), nil)
    reader.timeRange = CMTimeRange(start: start, duration: duration)
    #expect(reader.startReading())
    #expect(try Self.integers(Self.samples(output)).count == count)
    #expect(reader.status == .completed)
  }

  @Test func endOfTheDecoderIsAnError() async throws {
    let folder = try TemporaryFolder()
    let url = try folder.encode(try folder.sweep("a.wav", frames: 300_000), to: "a.mp3")
    let asset = AVURLAsset(url: url)
    let track = try #require(asset.tracks.first)
    kill(try #require(try asset.file().decodingProcess), SIGKILL)
    let error = await #expect(throws: AVError.self) { try await asset.load(.duration) }
    #expect(error?.code == .decodeFailed)
    #expect(!asset.duration.isValid)
    await #expect(throws: AVError.self) { try await track.load(.timeRange) }
    #expect(!track.timeRange.isValid)
  }

  @Test func cancelledReaderHasNoMoreSamples() async throws {
    let folder = try TemporaryFolder()
    let (reader, output) = try await Self.reader(try folder.sweep("a.wav", frames: 40_000), nil)
    reader.startReading()
    #expect(output.copyNextSampleBuffer() != nil)
    reader.cancelReading()
    #expect(output.copyNextSampleBuffer() == nil)
    #expect(reader.status == .cancelled)
    #expect(!reader.startReading())
  }

  @Test func unreadableFilesAreErrors() async throws {
    let folder = try TemporaryFolder()
    let missing = AVURLAsset(url: folder.file("none.wav"))
    let error = await #expect(throws: AVError.self) { try await missing.load(.duration) }
    #expect(error?.code == .contentIsUnavailable)
    #expect(missing.tracks.isEmpty)
    #expect(!missing.duration.isValid)
    let text = AVURLAsset(url: try folder.write(Array("no audio".utf8), to: "text.wav"))
    let refused = #expect(throws: AVError.self) { try AVAssetReader(asset: text) }
    #expect(refused?.code == .fileFormatNotRecognized)
  }
}
