import CoreMedia
import Testing

@Suite struct CMTimeConversionTests {
  @Test func secondsAreTheFraction() {
    #expect(CMTime(value: 1, timescale: 4).seconds == 0.25)
    #expect(CMTimeMakeWithEpoch(value: -3, timescale: 2, epoch: 9).seconds == -1.5)
    #expect(CMTimeGetSeconds(.positiveInfinity) == .infinity)
    #expect(CMTimeGetSeconds(.negativeInfinity) == -.infinity)
    #expect(CMTimeGetSeconds(.indefinite).isNaN)
    #expect(CMTimeGetSeconds(.invalid).isNaN)
    #expect(CMTime(value: 1, timescale: 0).seconds.isNaN)
  }

  @Test func secondsAreTruncatedToTicks() {
    let exact = CMTime(seconds: 2.5, preferredTimescale: 600)
    #expect(exact.value == 1500)
    #expect(exact.timescale == 600)
    #expect(!exact.hasBeenRounded)
    let cut = CMTime(seconds: 2.87, preferredTimescale: 1)
    #expect(cut.value == 2)
    #expect(cut.hasBeenRounded)
    #expect(CMTime(seconds: -2.87, preferredTimescale: 1).value == -2)
  }

  @Test func overflowingSecondsLowerTimescale() {
    let large = CMTime(seconds: 0x1p60, preferredTimescale: 1000)
    #expect(large.timescale == 7)
    #expect(large.seconds == 0x1p60)
    #expect(!large.hasBeenRounded)
    #expect(CMTime(seconds: 0x1p63, preferredTimescale: 600) == .positiveInfinity)
    #expect(CMTime(seconds: -1e300, preferredTimescale: 600) == .negativeInfinity)
    #expect(CMTime(seconds: -0x1p63, preferredTimescale: 600).value == .min)
  }

  @Test func secondsOfNaNMakeInvalidTime() {
    #expect(CMTime(seconds: .infinity, preferredTimescale: 600) == .positiveInfinity)
    #expect(CMTime(seconds: -.infinity, preferredTimescale: 600) == .negativeInfinity)
    #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
    #expect(!CMTime(seconds: 1, preferredTimescale: 0).isValid)
    #expect(!CMTime(seconds: 1, preferredTimescale: -600).isValid)
  }

  @Test(arguments: [
    (CMTimeRoundingMethod.roundHalfAwayFromZero, [2, 1, -1, -2]),
    (.roundTowardZero, [1, 1, -1, -1]),
    (.roundAwayFromZero, [2, 2, -2, -2]),
    (.quickTime, [1, 1, -1, -1]),
    (.roundTowardPositiveInfinity, [2, 2, -1, -1]),
    (.roundTowardNegativeInfinity, [1, 1, -2, -2]),
  ])
  func everyRoundingMethodRoundsAsDocumented(method: CMTimeRoundingMethod, values: [Int64]) {
    let quarters: [Int64] = [6, 5, -5, -6]
    let times = quarters.map { CMTime(value: $0, timescale: 4).convertScale(1, method: method) }
    #expect(times.map(\.value) == values)
    #expect(times.map(\.hasBeenRounded) == [true, true, true, true])
    let exact = CMTime(value: 8, timescale: 4).convertScale(1, method: method)
    #expect(exact.value == 2)
    #expect(!exact.hasBeenRounded)
  }

  @Test func quickTimeRoundsAwayToAFinerScaleAndKeepsTheSign() {
    #expect(CMTime(value: 1, timescale: 3).convertScale(4, method: .quickTime).value == 2)
    #expect(CMTime(value: -1, timescale: 3).convertScale(4, method: .quickTime).value == -2)
    #expect(CMTime(value: -1, timescale: 600).convertScale(1, method: .quickTime).value == -1)
    #expect(CMTime(value: 1, timescale: 600).convertScale(1, method: .quickTime).value == 0)
    #expect(CMTime(value: 0, timescale: 600).convertScale(1, method: .quickTime).value == 0)
    #expect(CMTime(value: -1, timescale: 600).convertScale(1, method: .roundTowardZero).value == 0)
  }

  @Test func conversionKeepsWhatItDoesNotChange() {
    let time = CMTime(value: 3, timescale: 2, flags: [.valid, .hasBeenRounded], epoch: 4)
    let converted = time.convertScale(600, method: .default)
    #expect(converted.value == 900)
    #expect(converted.epoch == 4)
    #expect(converted.hasBeenRounded)
    #expect(CMTimeConvertScale(.indefinite, timescale: 600, method: .default).isIndefinite)
    #expect(CMTimeConvertScale(.negativeInfinity, timescale: 0, method: .default).isNegativeInfinity)
    #expect(!CMTimeConvertScale(.invalid, timescale: 600, method: .default).isValid)
  }

  @Test func impossibleConversionFails() {
    let time = CMTime(value: 1, timescale: 2)
    #expect(!time.convertScale(0, method: .default).isValid)
    #expect(!time.convertScale(-600, method: .default).isValid)
    #expect(!CMTime(value: 1, timescale: 0).convertScale(600, method: .default).isValid)
    #expect(CMTime(value: .max, timescale: 1).convertScale(2, method: .default) == .positiveInfinity)
    #expect(CMTime(value: .min, timescale: 1).convertScale(2, method: .default) == .negativeInfinity)
  }
}
