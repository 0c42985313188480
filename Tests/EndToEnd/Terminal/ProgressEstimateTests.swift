import Testing

@testable import LonghandCommand

@Suite struct ProgressEstimateTests {
  private let start = ContinuousClock.now

  @Test func remainingTimeFollowsTheAverageSpeed() {
    var estimate = ProgressEstimate(start: start)
    #expect(estimate.remaining(at: start) == nil)
    estimate.update(processed: 30, duration: 120, at: start)
    #expect(estimate.remaining(at: start + .seconds(10)) == 30)
    #expect(estimate.summary(at: start + .seconds(10)) == "0:30 of 2:00  25%  0:30 left")
    estimate.update(processed: 120, duration: 120, at: start)
    #expect(estimate.remaining(at: start + .seconds(10)) == 0)
  }

  @Test func lineIsWrittenTwiceASecondAndAtTheEnd() {
    var estimate = ProgressEstimate(start: start)
    estimate.update(processed: 1, duration: 10, at: start)
    #expect(estimate.isWorthALine(at: start))
    estimate.lineWritten(at: start)
    #expect(!estimate.isWorthALine(at: start + .milliseconds(500)), "nothing is new")
    estimate.update(processed: 2, duration: 10, at: start)
    #expect(!estimate.isWorthALine(at: start + .milliseconds(499)))
    #expect(estimate.isWorthALine(at: start + .milliseconds(500)))
    estimate.update(processed: 10, duration: 10, at: start)
    #expect(estimate.isWorthALine(at: start + .milliseconds(1)))
    estimate.lineWritten(at: start + .milliseconds(1))
    #expect(!estimate.isWorthALine(at: start + .seconds(9)), "the end comes once")
  }

  @Test(arguments: [
    (0.0, "0:00"), (7.9, "0:07"), (723, "12:03"), (3720, "1:02:00"), (.infinity, "?"), (-1, "?"),
  ])
  func durationIsFormatted(_ seconds: Double, _ text: String) {
    #expect(ProgressEstimate.clock(seconds) == text)
  }
}
