import AVFoundation
import TestSupport
import Testing

@testable import Speech

@Suite struct AssetInputTests {
  private func samples(_ provider: AssetInputSequenceProvider) async throws -> [Int16] {
    var samples: [Int16] = []
    for try await input in provider.analyzerInputs {
      #expect(input.bufferFormat == AudioIntake.format)
      #expect(input.bufferStartTime == nil)
      let buffer = try #require(input.audio?.buffer)
      let channels = try #require(buffer.int16ChannelData)
      samples += UnsafeBufferPointer(start: channels[0], count: Int(buffer.frameLength))
    }
    return samples
  }

  @Test(.tagged(.childProcess)) func everySequenceHasAllAudioOfTheTrack() async throws {
    let wanted = try Recordings.samples(Recordings.librivox("0880"))
    let asset = AVURLAsset(url: Recordings.librivox("0880"))
    let provider = try await AssetInputSequenceProvider.provider(
      from: asset, compatibleWith: [SpeechDetector()])
    #expect(try await samples(provider) == wanted)
    #expect(try await samples(provider) == wanted)
    let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
    let ofTrack = try await AssetInputSequenceProvider.provider(
      from: asset, track: track, compatibleWith: [SpeechDetector()], priority: .low)
    #expect(try await samples(ofTrack).count == wanted.count)
    let direct = AssetInputSequenceProvider(asset: asset, track: track, analyzerFormat: AudioIntake.format)
    let inputs = direct.analyzerInputs
    var end: CMTime?
    let analyzer = SpeechAnalyzer(modules: [SpeechDetector()])
    end = try await analyzer.analyzeSequence(inputs)
    #expect(end == CMTime(value: Int64(wanted.count), timescale: 16_000))
    // A second asset continues the timeline.
    end = try await analyzer.analyzeSequence(provider.analyzerInputs)
    #expect(end == CMTime(value: 2 * Int64(wanted.count), timescale: 16_000))
  }

  @Test(.tagged(.childProcess)) func fileThatCannotBeReadIsAnError() async throws {
    let missing = AVURLAsset(url: URL(fileURLWithPath: "/nonexistent.wav"))
    let error = await #expect(throws: SFSpeechError.self) {
      _ = try await AssetInputSequenceProvider.provider(from: missing, compatibleWith: [SpeechDetector()])
    }
    #expect(error?.code == .audioReadFailed)
    // It disappears after the provider was made.
    let url = try Recordings.write(Recordings.silence(0.5))
    let asset = AVURLAsset(url: url)
    let provider = try await AssetInputSequenceProvider.provider(
      from: asset, compatibleWith: [SpeechDetector()])
    try FileManager.default.removeItem(at: url)
    await #expect { _ = try await samples(provider) } throws: { SFSpeechError.audioReadFailed ~= $0 }
  }
}
