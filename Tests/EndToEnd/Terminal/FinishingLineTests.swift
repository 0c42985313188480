import Foundation
import Testing

@testable import LonghandCommand

@Suite struct FinishingLineTests {
  private let start = ContinuousClock.now

  @Test func timeIsEstimatedFromTheSpeedSinceTheEnd() {
    var line = FinishingLine(isAsked: true, processed: 100, at: start)
    func text(_ processed: Double, after seconds: Double) -> String {
      line.text(processed: processed, duration: 160, at: start + .seconds(seconds))
    }
    #expect(text(100, after: 0) == "Finishing, 60 s left; press again to stop now")
    #expect(text(120, after: 5) == "Finishing, 10 s left; press again to stop now")
    #expect(text(120, after: 9) == "Finishing, 6 s left; press again to stop now")
    #expect(text(120, after: 30) == "Finishing, 1 s left; press again to stop now")
    #expect(text(140, after: 40) == "Finishing, 20 s left; press again to stop now")
    #expect(text(160, after: 15) == "Finishing; press again to stop now")
  }

  @Test func longTimesAreMinutes() {
    var line = FinishingLine(isAsked: true, processed: 0, at: start)
    #expect(
      line.text(processed: 0, duration: 754, at: start) == "Finishing, 12:34 left; press again to stop now")
  }

  @Test func endOfAPipeAsksForNothing() {
    var line = FinishingLine(isAsked: false, processed: 0, at: start)
    #expect(line.text(processed: 0, duration: 12, at: start) == "Finishing, 12 s left")
  }
}
