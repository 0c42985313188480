import CoreMedia
import Testing

@Suite struct CMTimeTests {
  @Test func initKeepsAllFields() {
    let time = CMTime(value: 7, timescale: 3)
    #expect(time.value == 7)
    #expect(time.timescale == 3)
    #expect(time.flags == .valid)
    #expect(time.epoch == 0)
    #expect(CMTimeMakeWithEpoch(value: 7, timescale: 3, epoch: 5).epoch == 5)
    #expect(CMTimeMake(value: 7, timescale: 3) == time)
  }

  @Test func theFlagsHaveApplesValues() {
    #expect(CMTimeFlags.valid.rawValue == 1)
    #expect(CMTimeFlags.hasBeenRounded.rawValue == 2)
    #expect(CMTimeFlags.positiveInfinity.rawValue == 4)
    #expect(CMTimeFlags.negativeInfinity.rawValue == 8)
    #expect(CMTimeFlags.indefinite.rawValue == 16)
    #expect(CMTimeFlags.impliedValueFlagsMask.rawValue == 28)
    #expect(kCMTimeMaxTimescale == Int(Int32.max))
  }

  @Test func theLayoutIsApples() {
    #expect(MemoryLayout<CMTime>.size == 24)
    #expect(MemoryLayout<CMTimeRange>.size == 48)
  }

  @Test func aDefaultTimeIsInvalid() {
    #expect(!CMTime().isValid)
    #expect(!CMTime.invalid.isValid)
    #expect(CMTIME_IS_INVALID(.invalid))
    #expect(!CMTime.invalid.isNumeric)
  }

  @Test func eachSpecialTimeIsOnlyItself() {
    let specials: [CMTime] = [.positiveInfinity, .negativeInfinity, .indefinite, .zero]
    #expect(specials.map(CMTIME_IS_POSITIVEINFINITY) == [true, false, false, false])
    #expect(specials.map(CMTIME_IS_NEGATIVEINFINITY) == [false, true, false, false])
    #expect(specials.map(CMTIME_IS_INDEFINITE) == [false, false, true, false])
    #expect(specials.map(CMTIME_IS_NUMERIC) == [false, false, false, true])
    #expect(specials.map(CMTIME_IS_VALID) == [true, true, true, true])
  }

  @Test func aSpecialFlagWithoutTheValidOneMeansNothing() {
    let time = CMTime(value: 1, timescale: 1, flags: [.positiveInfinity, .indefinite], epoch: 0)
    #expect(!time.isPositiveInfinity)
    #expect(!time.isIndefinite)
    #expect(!time.isNumeric)
  }

  @Test func onlyANumberCanHaveBeenRounded() {
    let number = CMTime(value: 1, timescale: 1, flags: [.valid, .hasBeenRounded], epoch: 0)
    let infinity = CMTime(
      value: 1, timescale: 1, flags: [.valid, .hasBeenRounded, .positiveInfinity], epoch: 0)
    #expect(CMTIME_HAS_BEEN_ROUNDED(number))
    #expect(!CMTIME_HAS_BEEN_ROUNDED(infinity))
    #expect(!CMTIME_HAS_BEEN_ROUNDED(.zero))
  }

  @Test func timeUnitsComeWithCoreMedia() {
    #expect(NSEC_PER_SEC == 1_000_000_000)
    #expect(NSEC_PER_MSEC == 1_000_000)
    #expect(NSEC_PER_USEC == 1000)
    #expect(USEC_PER_SEC == 1_000_000)
    #expect(CMTime(value: 3, timescale: CMTimeScale(NSEC_PER_SEC)).seconds == 3e-9)
  }
}
