import CoreMedia
import Testing

@Suite struct CMTimeComparisonTests {
  @Test func timesCompareByWhatTheyMean() {
    #expect(CMTime(value: 1, timescale: 2) == CMTime(value: 300, timescale: 600))
    #expect(CMTime(value: 1, timescale: 3) != CMTime(value: 333, timescale: 1000))
    #expect(CMTime(value: 1, timescale: 3) > CMTime(value: 333, timescale: 1000))
    #expect(CMTime(value: -1, timescale: 3) < CMTime(value: -333, timescale: 1000))
    #expect(CMTimeCompare(CMTime(value: 1, timescale: 3), CMTime(value: 1, timescale: 2)) == -1)
  }

  @Test func comparisonIsExactWhereDoublesAreNot() {
    let first = CMTime(value: .max, timescale: .max)
    let second = CMTime(value: .max - 1, timescale: .max)
    #expect(first.seconds == second.seconds)
    #expect(first > second)
    #expect(CMTime(value: .min, timescale: 1) < CMTime(value: .min, timescale: 2))
  }

  @Test func comparisonFollowsApplesOrder() {
    let ordered: [CMTime] = [
      .negativeInfinity, CMTime(value: .min, timescale: 1), .zero, CMTime(value: .max, timescale: 1),
      .indefinite,
      .positiveInfinity, .invalid,
    ]
    for (index, first) in ordered.enumerated() {
      for (other, second) in ordered.enumerated() {
        #expect(CMTimeCompare(first, second) == Int32((index - other).signum()))
      }
    }
  }

  @Test func epochsGoBeforeValues() {
    let late = CMTimeMakeWithEpoch(value: -5, timescale: 1, epoch: 2)
    let early = CMTimeMakeWithEpoch(value: 5, timescale: 1, epoch: 1)
    #expect(early < late)
    #expect(CMTimeMakeWithEpoch(value: 5, timescale: 1, epoch: 2) != early)
  }

  @Test func fieldsOfSpecialTimesDoNotCount() {
    let infinity = CMTime(value: 4, timescale: 5, flags: [.valid, .positiveInfinity], epoch: 6)
    #expect(infinity == .positiveInfinity)
    #expect(infinity.hashValue == CMTime.positiveInfinity.hashValue)
    #expect(CMTime(value: 9, timescale: 9, flags: [], epoch: 1) == .invalid)
  }

  @Test func aTimescaleThatIsNotPositiveCountsAsInvalid() {
    for timescale in [Int32.min, -1, 0] {
      #expect(CMTime(value: 1, timescale: timescale) == .invalid)
      #expect(CMTime(value: 1, timescale: timescale) > .positiveInfinity)
    }
  }

  @Test func roundedAndExactTimesAreEqual() {
    let rounded = CMTime(value: 1, timescale: 1, flags: [.valid, .hasBeenRounded], epoch: 0)
    #expect(rounded == CMTime(value: 1, timescale: 1))
    #expect(rounded.hashValue == CMTime(value: 1, timescale: 1).hashValue)
  }

  @Test func equalTimesHashAlike() {
    let times: Set = [
      CMTime(value: 1, timescale: 2), CMTime(value: 2, timescale: 4), CMTime(value: 1, timescale: 3),
      CMTimeMakeWithEpoch(value: 1, timescale: 2, epoch: 1), .zero, CMTime(value: 0, timescale: 600),
      .invalid,
      CMTime(value: 3, timescale: 0),
    ]
    #expect(times.count == 5)
  }

  @Test func theLesserAndTheGreaterAreFound() {
    let (less, more) = (CMTime(value: 1, timescale: 3), CMTime(value: 1, timescale: 2))
    #expect(CMTimeMinimum(less, more) == less)
    #expect(CMTimeMinimum(more, less) == less)
    #expect(CMTimeMaximum(less, more) == more)
    #expect(CMTimeMaximum(more, .indefinite) == .indefinite)
    #expect(CMTimeMinimum(.negativeInfinity, less) == .negativeInfinity)
  }
}
