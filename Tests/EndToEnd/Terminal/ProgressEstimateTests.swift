import Testing

@testable import LonghandCommand

@Suite struct ProgressEstimateTests {
  private let start = ContinuousClock.now

  /// The time before the first progress is that of a model that loads, and the first progress may be a part of a second.
  @Test func remainingTimeIsKnownWhenTheSpeedIs() {
    var estimate = ProgressEstimate()
    #expect(estimate.remaining(at: start) == nil)
    #expect(estimate.summary(at: start) == "reading the file")
    estimate.update(processed: 0.3, duration: 1200, at: start + .seconds(30))
    #expect(estimate.remaining(at: start + .seconds(30)) == nil)
    #expect(estimate.summary(at: start + .seconds(33)) == "0:00 of 20:00  0%")
    estimate.update(processed: 20, duration: 1200, at: start + .seconds(34))
    #expect(estimate.remaining(at: start + .seconds(34)) == nil, "that is too little to know")
    estimate.update(processed: 300.3, duration: 1200, at: start + .seconds(40))
    #expect(estimate.remaining(at: start + .seconds(40)).map { abs($0 - 29.99) < 0.01 } == true)
    #expect(estimate.summary(at: start + .seconds(40)) == "5:00 of 20:00  25%  0:29 left")
    estimate.update(processed: 1200, duration: 1200, at: start + .seconds(50))
    #expect(estimate.remaining(at: start + .seconds(50)) == 0)
  }

  /// The names matter less than the figures.
  @Test(arguments: [
    (80, "2 of 10  a-very-long-nam…g-2026-11-26.wav  10:00 of 20:00  50%  0:10 left"),
    (60, "2 of 10  a-very-lo…11-26.wav  10:00 of 20:00  50%  0:10 left"),
    (45, "2 of 10  10:00 of 20:00  50%  0:10 left"),
    (37, "10:00 of 20:00  50%  0:10 left"), (20, "50%  0:10 left"), (5, "50%"),
  ])
  func narrowTerminalShowsTheShare(_ columns: Int, _ text: String) {
    var estimate = ProgressEstimate()
    estimate.update(processed: 200, duration: 1200, at: start)
    estimate.update(processed: 600, duration: 1200, at: start + .seconds(7))
    let name = "a-very-long-name-of-a-recording-2026-11-26.wav"
    #expect(
      estimate.line(name, after: "2 of 10  ", columns: columns, at: start + .seconds(7)) == text)
  }

  @Test func lineIsWrittenTwiceASecondAndAtTheEnd() {
    var estimate = ProgressEstimate()
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
