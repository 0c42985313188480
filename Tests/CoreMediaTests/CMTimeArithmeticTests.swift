import CoreMedia
import Testing

@Suite struct CMTimeArithmeticTests {
  @Test func sumsAreAtTheLeastCommonMultiple() {
    let sum = CMTime(value: 1, timescale: 4) + CMTime(value: 1, timescale: 6)
    #expect(sum.value == 5)
    #expect(sum.timescale == 12)
    #expect(!sum.hasBeenRounded)
    let same = CMTime(value: 2, timescale: 4) - CMTime(value: 4, timescale: 4)
    #expect(same.value == -2)
    #expect(same.timescale == 4)
  }

  @Test func sumsWithoutACommonTimescaleAreRounded() {
    let sum = CMTime(value: 1, timescale: .max) + CMTime(value: 1, timescale: .max - 1)
    #expect(sum.timescale == .max)
    #expect(sum.value == 2)
    #expect(sum.hasBeenRounded)
  }

  @Test func roundedTimesMakeRoundedSums() {
    let rounded = CMTime(value: 1, timescale: 2, flags: [.valid, .hasBeenRounded], epoch: 0)
    #expect((rounded + .zero).hasBeenRounded)
    #expect((.zero - rounded).hasBeenRounded)
  }

  @Test func sumsThatAreTooLargeCoarsenAndThenAreInfinite() {
    let coarse = CMTime(value: .max, timescale: 600) + CMTime(value: 1, timescale: 600)
    #expect(coarse.timescale == 300)
    #expect(coarse.value == 1 << 62)
    #expect(!coarse.hasBeenRounded)
    #expect((CMTime(value: .max, timescale: 600) + CMTime(value: 2, timescale: 600)).hasBeenRounded)
    let one = CMTime(value: 1, timescale: 1)
    #expect(CMTime(value: .max, timescale: 1) + one == .positiveInfinity)
    #expect(CMTime(value: .min, timescale: 1) - one == .negativeInfinity)
  }

  @Test func sumsOfSpecialTimesFollowApplesTable() {
    let (up, down) = (CMTime.positiveInfinity, CMTime.negativeInfinity)
    #expect(up + up == up)
    #expect(down + down == down)
    #expect(!(up + down).isValid)
    #expect(!(down + up).isValid)
    #expect(!(up - up).isValid)
    #expect(!(down - down).isValid)
    #expect(up - down == up)
    #expect(down - up == down)
    #expect(up + .zero == up)
    #expect(.zero - up == down)
    #expect(.indefinite + up == up)
    #expect((.indefinite + .zero).isIndefinite)
    #expect(!(.indefinite + .invalid).isValid)
    #expect(!(.invalid + up).isValid)
    #expect(!(CMTime(value: 1, timescale: 0) + .zero).isValid)
  }

  @Test func epochsOnlyMixWithDurations() {
    let first = CMTimeMakeWithEpoch(value: 5, timescale: 1, epoch: 1)
    let second = CMTimeMakeWithEpoch(value: 3, timescale: 1, epoch: 2)
    let duration = CMTime(value: 2, timescale: 1)
    #expect(!(first + second).isValid)
    #expect(!(first - second).isValid)
    #expect((first - first).epoch == 0)
    #expect(first + duration == CMTimeMakeWithEpoch(value: 7, timescale: 1, epoch: 1))
    #expect((duration + first).epoch == 1)
  }

  @Test func productsKeepTheTimescale() {
    let product = CMTimeMultiply(CMTimeMakeWithEpoch(value: 3, timescale: 4, epoch: 2), multiplier: -5)
    #expect(product == CMTimeMakeWithEpoch(value: -15, timescale: 4, epoch: 2))
    #expect(product.timescale == 4)
    #expect(CMTimeMultiply(.negativeInfinity, multiplier: -1) == .positiveInfinity)
    #expect(CMTimeMultiply(.positiveInfinity, multiplier: -1) == .negativeInfinity)
    #expect(CMTimeMultiply(.indefinite, multiplier: 2).isIndefinite)
    #expect(!CMTimeMultiply(.invalid, multiplier: 2).isValid)
    #expect(CMTimeMultiply(CMTime(value: .max, timescale: 1), multiplier: 2) == .positiveInfinity)
    #expect(CMTimeMultiply(CMTime(value: .max, timescale: 1), multiplier: -2) == .negativeInfinity)
    #expect(CMTimeMultiply(CMTime(value: .max, timescale: 4), multiplier: 2).timescale == 2)
  }

  @Test func productsWithFractionsAreFine() {
    let product = CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 1), multiplier: 1.5)
    #expect(product.timescale == 65536)
    #expect(product == CMTime(value: 3, timescale: 2))
    #expect(!product.hasBeenRounded)
    let third = CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 90000), multiplier: 1 / 3)
    #expect(third.timescale == 90000)
    #expect(third.value == 0)
    #expect(third.hasBeenRounded)
    #expect(CMTimeMultiplyByFloat64(CMTime(value: 3, timescale: 90000), multiplier: 0.5).value == 2)
    #expect(CMTimeMultiplyByFloat64(CMTime(value: -3, timescale: 90000), multiplier: 0.5).value == -2)
    let largest = CMTime(value: .max, timescale: 65536)
    #expect(CMTimeMultiplyByFloat64(largest, multiplier: 1).value == .max)
  }

  @Test func productsWithOddFactorsAreDefined() {
    let one = CMTime(value: 1, timescale: 1)
    #expect(!CMTimeMultiplyByFloat64(one, multiplier: .nan).isValid)
    #expect(CMTimeMultiplyByFloat64(one, multiplier: -.infinity) == .negativeInfinity)
    #expect(!CMTimeMultiplyByFloat64(.zero, multiplier: .infinity).isValid)
    #expect(CMTimeMultiplyByFloat64(one, multiplier: 1e300) == .positiveInfinity)
    #expect(CMTimeMultiplyByFloat64(.zero, multiplier: 1e300) == .zero)
    let tiny = CMTimeMultiplyByFloat64(one, multiplier: -.leastNonzeroMagnitude)
    #expect(tiny.value == 0)
    #expect(tiny.hasBeenRounded)
    #expect(CMTimeMultiplyByFloat64(.positiveInfinity, multiplier: -0.5) == .negativeInfinity)
    #expect(CMTimeMultiplyByFloat64(.indefinite, multiplier: 2).isIndefinite)
  }

  @Test func ratiosStayExactIfTheyCan() {
    let half = CMTimeMultiplyByRatio(CMTime(value: 1001, timescale: 600), multiplier: 1, divisor: 2)
    #expect(half.value == 1001)
    #expect(half.timescale == 1200)
    let even = CMTimeMultiplyByRatio(CMTime(value: 1000, timescale: 600), multiplier: 1, divisor: -2)
    #expect(even.value == -500)
    #expect(even.timescale == 600)
    let reduced = CMTimeMultiplyByRatio(
      CMTime(value: 1 << 20, timescale: 1 << 20), multiplier: 1, divisor: 4099)
    #expect(reduced.value == 1)
    #expect(reduced.timescale == 4099)
    #expect([half, even, reduced].map(\.hasBeenRounded) == [false, false, false])
    let rounded = CMTimeMultiplyByRatio(CMTime(value: 1, timescale: 65537), multiplier: 1, divisor: 65539)
    #expect(rounded.timescale == .max)
    #expect(rounded.hasBeenRounded)
  }

  @Test func ratiosOverZeroAreNoNumbers() {
    let one = CMTime(value: 1, timescale: 1)
    #expect(CMTimeMultiplyByRatio(one, multiplier: 1, divisor: 0) == .positiveInfinity)
    #expect(CMTimeMultiplyByRatio(one, multiplier: -1, divisor: 0) == .negativeInfinity)
    #expect(!CMTimeMultiplyByRatio(one, multiplier: 0, divisor: 0).isValid)
    #expect(!CMTimeMultiplyByRatio(.zero, multiplier: 1, divisor: 0).isValid)
    #expect(CMTimeMultiplyByRatio(.negativeInfinity, multiplier: 2, divisor: 3) == .negativeInfinity)
    #expect(
      CMTimeMultiplyByRatio(CMTime(value: .max, timescale: 1), multiplier: 3, divisor: 2) == .positiveInfinity
    )
  }

  @Test func absoluteValueHasNoSign() {
    #expect(CMTimeAbsoluteValue(CMTime(value: -3, timescale: 2)) == CMTime(value: 3, timescale: 2))
    #expect(CMTimeAbsoluteValue(CMTime(value: 3, timescale: 2)).value == 3)
    #expect(CMTimeAbsoluteValue(.negativeInfinity) == .positiveInfinity)
    #expect(CMTimeAbsoluteValue(.indefinite).isIndefinite)
    #expect(!CMTimeAbsoluteValue(.invalid).isValid)
    let extreme = CMTimeAbsoluteValue(CMTime(value: .min, timescale: 2))
    #expect(extreme.value == 1 << 62)
    #expect(extreme.timescale == 1)
    #expect(CMTimeAbsoluteValue(CMTime(value: .min, timescale: 1)) == .positiveInfinity)
  }
}
