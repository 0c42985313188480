import Foundation
import Longhand
import TestSupport
import Testing

@Suite struct TimecodeTests {
  @Test(
    arguments: [
      ("00:00:00:00", "25", 61.5, "00:01:01:12"), ("01:00:00:00", "24", 3600, "02:00:00:00"),
      ("00:00:00:00", "23.976", 3600, "00:59:56:09"), ("23:59:59:29", "30", 1.0 / 30, "00:00:00:00"),
      // Drop frame follows the clock: 01:00:00;00 after an hour.
      ("00:00:00;00", "29.97", 59.99, "00:00:59;27"),
      ("00:00:59;29", "29.97", 1001.0 / 30_000, "00:01:00;02"),
      ("00:09:59;29", "29.97", 1001.0 / 30_000, "00:10:00;00"), ("00:00:00;00", "29.97", 3600, "01:00:00;00"),
      ("00:00:59;59", "59.94", 1001.0 / 60_000, "00:01:00;04"), ("23:59:59;29", "29.97", 0.04, "00:00:00;00"),
      ("01:00:00.00", "29.97", 60.1, "01:01:00;03"),
      // A semicolon means nothing at other rates.
      ("00:00:59;24", "25", 0.04, "00:01:00:00"),
    ] as [(String, String, Double, String)])
  func framesAreCounted(_ start: String, _ rate: String, _ seconds: Double, _ expected: String) throws {
    let rate = try #require(Timecode.Rate(rate))
    let code = try #require(Timecode(start, rate: rate))
    #expect(code.text(at: seconds) == expected)
  }

  /// Each number of a day is written once, and read again.
  @Test(arguments: ["29.97", "59.94"]) func numbersThatAreLeftOutAreNeverWritten(_ rate: String) throws {
    let rate = try #require(Timecode.Rate(rate))
    let start = Timecode(rate: rate, isDropFrame: true)
    var texts: Set<String> = []
    for frame in 0..<(isSoak ? 40_000 : 6000) {
      let text = start.text(ofFrame: frame)
      #expect(texts.insert(text).inserted)
      #expect(Timecode(text, rate: rate)?.first == frame)
      let isLeftOut = text.wholeMatch(of: /\d\d:\d[1-9]:00;0[01]/) != nil
      #expect(!isLeftOut, "\(text)")
    }
  }

  @Test(arguments: [
    "", "1:2:3", "00:00:00:25", "24:00:00:00", "00:60:00:00", "a0:00:00:00", "00:00:00:00:00",
  ])
  func otherTextsAreNoTimecode(_ text: String) { #expect(Timecode(text, rate: .standard) == nil) }

  @Test func aStatedRateOrTimeIsEnough() {
    #expect(Timecode(stated: nil, seconds: nil, rate: nil) == nil)
    #expect(Timecode(stated: "x", seconds: nil, rate: nil) == nil)
    #expect(Timecode(stated: nil, seconds: 3600, rate: nil)?.text(at: 0) == "01:00:00:00")
    #expect(Timecode(stated: nil, seconds: nil, rate: .init(30, 1))?.text(at: 0.5) == "00:00:00:15")
    #expect(Timecode.Rate(0, 1) == nil)
    #expect(Timecode.Rate(1, 0) == nil)
  }
}
