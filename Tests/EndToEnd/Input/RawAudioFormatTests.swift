import Foundation
import Longhand
import Testing

@testable import LonghandCommand

@Suite struct RawAudioFormatTests {
  @Test func descriptionsAreParsed() throws {
    let format = try RawAudioFormat("f32be:44100:2")
    #expect(format.encoding == .init(kind: .float, bytes: 4, isBigEndian: true))
    #expect(format.rate == 44100)
    #expect(format.frameBytes == 8)
    #expect(try RawAudioFormat("s16:8000") == RawAudioFormat("S16LE:8000:1"))
  }

  @Test(arguments: [
    "", "s16le", "s16le:", "s16le:0:1", "s16le:16000:0", "s17le:16000:1", "s16le:16000:1:1", "u16:1:1",
  ])
  func invalidDescriptionIsBadUsage(_ text: String) {
    #expect(#expect(throws: Failure.self) { try RawAudioFormat(text) }?.status == 2)
  }

  @Test func samplesAreConvertedForAWaveFile() throws {
    #expect(try RawAudioFormat("s16be:8000:1").littleEndian([1, 2, 3, 4]) == [2, 1, 4, 3])
    #expect(try RawAudioFormat("s24be:8000:1").littleEndian([1, 2, 3]) == [3, 2, 1])
    #expect(try RawAudioFormat("s16le:8000:1").littleEndian([1, 2]) == [1, 2])
    #expect(try RawAudioFormat("s8:8000:1").littleEndian([0, 0x80, 0xFF]) == [0x80, 0, 0x7F])
  }

  /// Negative full scale, zero, one half and positive full scale in every encoding.
  @Test(
    arguments: [
      ("u8", [0, 0x80, 0xC0, 0xFF], 0x7F00), ("s8", [0x80, 0, 0x40, 0x7F], 0x7F00),
      ("s16le", [0, 0x80, 0, 0, 0, 0x40, 0xFF, 0x7F], 0x7FFF),
      ("s16be", [0x80, 0, 0, 0, 0x40, 0, 0x7F, 0xFF], 0x7FFF),
      ("s24be", [0x80, 0, 0, 0, 0, 0, 0x3F, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF], 0x7FFF),
      ("s32le", [0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x40, 0xFF, 0xFF, 0xFF, 0x7F], 0x7FFF),
      ("f32be", [0xBF, 0x80, 0, 0, 0x7F, 0xC0, 0, 0, 0x3F, 0, 0, 0, 0x7F, 0x80, 0, 0], 0x7FFF),
      (
        "f64le",
        [
          0, 0, 0, 0, 0, 0, 0xF0, 0xBF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F, 0, 0, 0, 0, 0,
          0, 0xF0,
          0x3F,
        ], 0x7FFF
      ),
    ] as [(String, [UInt8], Int)])
  func samplesAreConvertedForARecording(_ encoding: String, _ bytes: [UInt8], _ loudest: Int) throws {
    let recorded = try RawAudioFormat("\(encoding):8000:1").recorded(bytes[...])
    let numbers = recorded.withUnsafeBytes {
      $0.bindMemory(to: Int16.self).map { Int(Int16(littleEndian: $0)) }
    }
    #expect(numbers == [-32_768, 0, 16_384, loudest])
  }

  @Test func headerDeclaresItsLengthAndTurnsIntoRF64() throws {
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
