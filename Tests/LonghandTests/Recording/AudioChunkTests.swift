import Foundation
import Testing

@testable import Longhand

@Suite struct AudioChunkTests {
  private static func sound(_ samples: [Int16], channels: Int, start: Int64 = 0) -> AudioChunk {
    AudioChunk(
      samples: samples.map(\.littleEndian).withUnsafeBytes { Data($0) }, start: start,
      format: RecordingFormat(sampleRate: 8000, channels: channels))
  }

  @Test func oneChannelIsItself() {
    #expect(Self.sound([-32_768, 0, 16_384], channels: 1).mean == [-1, 0, 0.5])
  }

  @Test func theMeanOfTwoChannelsIsHeard() {
    let sound = Self.sound([-32_768, -32_768, 16_384, 0, 8192, -8192, 32_767, 32_767], channels: 2)
    #expect(sound.mean == [-1, 0.25, 0, 32_767.0 / 32_768])
    #expect(sound.frames == 4)
  }

  @Test func aPartOfDataIsReadFromItsOwnStart() {
    var sound = Self.sound([1, 2, 16_384, 8192], channels: 2)
    sound.samples = sound.samples.suffix(4)
    #expect(sound.mean == [0.375])
  }

  @Test func aBufferHasTheMeanAndTheRate() throws {
    let buffer = try Self.sound([16_384, 0, 0, -16_384], channels: 2).buffer()
    let channel = try #require(buffer.floatChannelData?[0])
    #expect(buffer.frameLength == 2)
    #expect(buffer.format.sampleRate == 8000)
    #expect(buffer.format.channelCount == 1)
    #expect([channel[0], channel[1]] == [0.25, -0.25])
  }

  @Test func itEndsSoManySecondsFromTheStartOfTheRecording() {
    #expect(Self.sound([0, 0, 0, 0], channels: 2, start: 15_998).end == 2)
  }
}
