import Testing

@testable import Longhand

@Suite struct WaveHeaderTests {
  /// From 4 GiB on, the length has 64 bits.
  @Test(arguments: [0, 1000, 3_000_000_000, 5_000_000_000] as [UInt64])
  func lengthIsReadAsItWasWritten(_ length: UInt64) throws {
    let header = WaveHeader(sampleRate: 44_100, channels: 2, dataBytes: length)
    #expect(WaveHeader.dataBytes(in: header.bytes) == length)
    #expect(WaveHeader.dataBytes(in: header.bytes.dropLast()) == nil)
  }

  /// Above 2 GiB, a length of 32 bits may be one that its program did not know.
  @Test(arguments: [(1000, 1000), (0, nil), (3_000_000_000, nil), (5_000_000_000, 5_000_000_000)])
  func lengthOfAStreamIsKnownWhereNoProgramWritesAnother(_ length: UInt64, _ known: UInt64?) throws {
    var left = WaveHeader(sampleRate: 8000, channels: 1, sampleBytes: 1, dataBytes: length).bytes[...]
    let header = try WaveHeader { count in
      defer { left = left.dropFirst(count) }
      return Array(left.prefix(count))
    }
    #expect(header.knownBytes == known)
    #expect(header.sampleBytes == 1)
    #expect(header.sampleRate == 8000)
  }
}
