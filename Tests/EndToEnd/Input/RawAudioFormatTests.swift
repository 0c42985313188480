import Foundation
import Longhand
import Testing

@testable import LonghandCommand

@Suite struct RawAudioFormatTests {
  @Test func descriptionsAreRead() throws {
    let format = try RawAudioFormat("f32be:44100:2")
    #expect(format.encoding == .init(kind: .float, bytes: 4, isBigEndian: true))
    #expect(format.rate == 44100)
    #expect(format.frameBytes == 8)
    #expect(try RawAudioFormat("s16:8000") == RawAudioFormat("S16LE:8000:1"))
  }

  @Test(arguments: [
    "", "s16le", "s16le:", "s16le:0:1", "s16le:16000:0", "s17le:16000:1", "s16le:16000:1:1", "u16:1:1",
  ])
  func whatMakesNoSenseIsBadUsage(_ text: String) {
    #expect(#expect(throws: Failure.self) { try RawAudioFormat(text) }?.status == 2)
  }

  @Test func samplesBecomeThoseOfAWaveFile() throws {
    #expect(try RawAudioFormat("s16be:8000:1").littleEndian([1, 2, 3, 4]) == [2, 1, 4, 3])
    #expect(try RawAudioFormat("s24be:8000:1").littleEndian([1, 2, 3]) == [3, 2, 1])
    #expect(try RawAudioFormat("s16le:8000:1").littleEndian([1, 2]) == [1, 2])
    #expect(try RawAudioFormat("s8:8000:1").littleEndian([0, 0x80, 0xFF]) == [0x80, 0, 0x7F])
  }

  @Test func theHeaderHasItsLengthAndBecomesLong() throws {
    let format = try RawAudioFormat("s16le:16000:1")
    let short = format.header(dataBytes: 1000).bytes
    #expect(short.count == WaveHeader.length)
    #expect(Array(short[0..<4]) == Array("RIFF".utf8))
    #expect(Array(short[4..<8]) == [0x30, 0x04, 0, 0])
    #expect(Array(short[76..<80]) == [0xE8, 0x03, 0, 0])
    let long = format.header(dataBytes: 5_000_000_000).bytes
    #expect(long.count == WaveHeader.length)
    #expect(Array(long[0..<4]) == Array("RF64".utf8))
    #expect(Array(long[76..<80]) == [0xFF, 0xFF, 0xFF, 0xFF])
  }
}
