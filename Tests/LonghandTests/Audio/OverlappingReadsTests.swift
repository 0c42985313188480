import Testing

@testable import LonghandRecording

@Suite struct OverlappingReadsTests {
  /// Parts that overlap, one that does not follow the last one, and one before it.
  @Test func noPartIsDecodedTwice() {
    var reads = OverlappingReads()
    var decoded: [Range<Int64>] = []
    for (start, count) in [(-5, 30), (5, 30), (16, 20), (100, 10), (20, 10)] as [(Int64, Int)] {
      let samples = reads.read(from: start, count: count, overlap: 20) { start, count in
        decoded.append(start..<start + Int64(count))
        return [1, -1].map { sign in (0..<count).map { sign * Float(start + Int64($0)) } }
      }
      #expect(samples[0] == (0..<count).map { Float(start + Int64($0)) })
      #expect(samples[1] == samples[0].map { -$0 })
    }
    #expect(decoded == [-5..<25, 25..<35, 35..<36, 100..<110, 20..<30])
  }
}
