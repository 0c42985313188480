import CoreMedia
import Testing

@Suite struct TimeUnitsTests {
  @Test func comeAlongWithCoreMedia() {
    let units: [UInt64] = [NSEC_PER_SEC, NSEC_PER_MSEC, NSEC_PER_USEC, USEC_PER_SEC]
    #expect(units == [1_000_000_000, 1_000_000, 1000, 1_000_000])
    #expect(CMTime(value: 3, timescale: CMTimeScale(NSEC_PER_SEC)).seconds == 3e-9)
  }
}
