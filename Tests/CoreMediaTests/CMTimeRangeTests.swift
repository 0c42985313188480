import CoreMedia
import ScriptedSpeech
import Testing

@Suite struct CMTimeRangeTests {
  private func seconds(_ start: Double, _ end: Double, scale: CMTimeScale = 600) -> CMTimeRange {
    CMTimeRange(
      start: CMTime(seconds: start, preferredTimescale: scale),
      end: CMTime(seconds: end, preferredTimescale: scale))
  }

  @Test func aRangeEndsAfterItsDuration() {
    let range = CMTimeRange(start: CMTime(value: 1, timescale: 4), duration: CMTime(value: 1, timescale: 6))
    #expect(range.end == CMTime(value: 5, timescale: 12))
    #expect(CMTimeRangeGetEnd(range) == range.end)
    #expect(CMTimeRange(start: range.start, end: range.end) == range)
    #expect(CMTimeRangeFromTimeToTime(start: range.start, end: range.end).duration == range.duration)
  }

  @Test func invalidRangesAreFound() {
    let one = CMTime(value: 1, timescale: 1)
    let later = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 3)
    #expect(!CMTimeRange().isValid)
    #expect(!CMTimeRange(start: .invalid, duration: one).isValid)
    #expect(!CMTimeRange(start: .zero, duration: .invalid).isValid)
    #expect(!CMTimeRange(start: one, end: .zero).isValid)
    #expect(!CMTimeRange(start: .zero, duration: later).isValid)
    #expect(!CMTimeRangeMake(start: .zero, duration: later).start.isValid)
    #expect(CMTIMERANGE_IS_INVALID(.invalid))
    #expect(!CMTIMERANGE_IS_EMPTY(.invalid))
    #expect(!CMTIMERANGE_IS_INDEFINITE(.invalid))
    #expect(CMTIMERANGE_IS_VALID(CMTimeRange(start: later, duration: one)))
    #expect(CMTIMERANGE_IS_VALID(CMTimeRange(start: .zero, duration: .positiveInfinity)))
  }

  @Test func emptyAndIndefiniteRangesAreFound() {
    #expect(CMTimeRange.zero.isEmpty)
    #expect(CMTIMERANGE_IS_EMPTY(CMTimeRange(start: .indefinite, duration: CMTime(value: 0, timescale: 600))))
    #expect(!seconds(0, 1).isEmpty)
    #expect(CMTIMERANGE_IS_INDEFINITE(CMTimeRange(start: .zero, duration: .indefinite)))
    #expect(!seconds(0, 1).isIndefinite)
  }

  @Test func theEndIsNotInTheRange() {
    let range = seconds(1, 2)
    #expect(range.containsTime(CMTime(value: 1, timescale: 1)))
    #expect(CMTimeRangeContainsTime(range, time: CMTime(value: 1999, timescale: 1000)))
    #expect(!range.containsTime(range.end))
    #expect(!range.containsTime(.zero))
    #expect(!range.containsTime(.indefinite))
    #expect(!range.containsTime(.invalid))
    #expect(!range.containsTime(CMTimeMakeWithEpoch(value: 3, timescale: 2, epoch: 1)))
    #expect(!CMTimeRange.zero.containsTime(.zero))
    #expect(!CMTimeRange.invalid.containsTime(.zero))
    let endless = CMTimeRange(start: .zero, duration: .positiveInfinity)
    #expect(endless.containsTime(CMTime(value: .max, timescale: 1)))
    #expect(!endless.containsTime(.positiveInfinity))
    #expect(!endless.containsTime(.indefinite))
  }

  @Test func aRangeContainsItselfAndItsParts() {
    let range = seconds(1, 2)
    #expect(range.containsTimeRange(range))
    #expect(range.containsTimeRange(seconds(1.5, 2, scale: 1000)))
    #expect(CMTimeRangeContainsTimeRange(range, otherRange: seconds(1.25, 1.5)))
    #expect(!range.containsTimeRange(seconds(1.5, 2.5)))
    #expect(!range.containsTimeRange(seconds(0.5, 1.5)))
    #expect(!range.containsTimeRange(.invalid))
    #expect(!CMTimeRange.invalid.containsTimeRange(range))
  }

  @Test func unionsSpanBothRanges() {
    #expect(seconds(1, 2).union(seconds(1.5, 3)) == seconds(1, 3))
    #expect(seconds(4, 5).union(seconds(1, 2)) == seconds(1, 5))
    #expect(CMTimeRangeGetUnion(seconds(0, 9), otherRange: seconds(1, 2)) == seconds(0, 9))
    #expect(!seconds(0, 1).union(.invalid).isValid)
    let elsewhere = CMTimeRange(start: CMTimeMakeWithEpoch(value: 0, timescale: 1, epoch: 1), duration: .zero)
    #expect(!seconds(0, 1).union(elsewhere).isValid)
  }

  @Test func intersectionsAreInBothRanges() {
    #expect(seconds(1, 2).intersection(seconds(1.5, 3)) == seconds(1.5, 2))
    #expect(CMTimeRangeGetIntersection(seconds(0, 9), otherRange: seconds(1, 2)) == seconds(1, 2))
    #expect(seconds(0, 1).intersection(seconds(2, 3)) == .zero)
    let touching = seconds(0, 1).intersection(seconds(1, 2))
    #expect(touching.isEmpty)
    #expect(touching.start == CMTime(value: 1, timescale: 1))
    let endless = CMTimeRange(start: .zero, duration: .positiveInfinity)
    #expect(endless.intersection(seconds(1, 2)) == seconds(1, 2))
    #expect(!seconds(0, 1).intersection(.invalid).isValid)
  }

  @Test func equalRangesHashAlike() {
    let (coarse, fine) = (seconds(1, 2, scale: 2), seconds(1, 2, scale: 600))
    #expect(CMTimeRangeEqual(coarse, fine))
    #expect(Set([coarse, fine, seconds(1, 3), .invalid]).count == 3)
    #expect(seconds(1, 2) != seconds(1, 3))
    #expect(seconds(1, 2) != seconds(0, 1))
  }

  @Test func setsOfRandomRangesHoldTheirMembers() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<3_000 {
      let ranges = (0..<2).map { _ in
        CMTimeRange(start: generator.smallNumber(), duration: CMTimeAbsoluteValue(generator.smallNumber()))
      }
      let time = generator.smallNumber()
      let (first, second) = (ranges[0], ranges[1])
      let (union, intersection) = (first.union(second), first.intersection(second))
      #expect(union.containsTimeRange(first))
      #expect(union.containsTimeRange(second))
      #expect(intersection.containsTime(time) == (first.containsTime(time) && second.containsTime(time)))
      #expect(union == second.union(first))
      #expect(intersection == second.intersection(first))
      if !intersection.isEmpty { #expect(first.containsTimeRange(intersection)) }
    }
  }
}
