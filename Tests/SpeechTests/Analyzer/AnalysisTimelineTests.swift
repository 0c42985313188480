import CoreMedia
import Testing

@testable import Speech

@Suite struct AnalysisTimelineTests {
  private func time(_ seconds: Double) -> CMTime {
    CMTime(value: Int64((seconds * 48_000).rounded()), timescale: 48_000)
  }

  @Test func buffersOfDifferentRatesAreContiguous() throws {
    var timeline = AnalysisTimeline()
    #expect(timeline.volatileRange == nil)
    #expect(try timeline.append(frames: 44_100, rate: 44_100, start: nil) == .contiguous)
    #expect(try timeline.append(frames: 8000, rate: 16_000, start: nil) == .contiguous)
    #expect(timeline.end == time(1.5))
    #expect(timeline.volatileRange == CMTimeRange(start: .zero, end: time(1.5)))
  }

  @Test func laterStartTimeIsDropoutOrGap() throws {
    var timeline = AnalysisTimeline()
    #expect(try timeline.append(frames: 1600, rate: 16_000, start: time(10)) == .gap(to: 160_000))
    #expect(timeline.volatileRange == CMTimeRange(start: time(10), end: time(10.1)))
    #expect(try timeline.append(frames: 1600, rate: 16_000, start: time(10.102)) == .contiguous)
    #expect(timeline.end == time(10.2))
    #expect(try timeline.append(frames: 1600, rate: 16_000, start: time(10.23)) == .dropout(480))
    #expect(try timeline.append(frames: 1600, rate: 16_000, start: time(20)) == .gap(to: 320_000))
  }

  @Test func earlierStartTimeIsRefused() throws {
    var timeline = AnalysisTimeline()
    _ = try timeline.append(frames: 16_000, rate: 16_000, start: nil)
    #expect {
      try timeline.append(frames: 1, rate: 16_000, start: time(0.9))
    } throws: { SFSpeechError.audioDisordered ~= $0 }
    #expect {
      try timeline.append(frames: 1, rate: 16_000, start: .invalid)
    } throws: { SFSpeechError.audioDisordered ~= $0 }
  }

  @Test func finalizedTimeNeverDecreasesOrExceedsTheAudio() throws {
    var timeline = AnalysisTimeline()
    let early = timeline.finalize(through: time(1))
    #expect(!early)
    _ = try timeline.append(frames: 16_000, rate: 16_000, start: nil)
    let changes = [0.5, 0.4, 2, 2].map { timeline.finalize(through: time($0)) }
    #expect(changes == [true, false, true, false])
    #expect(try #require(timeline.volatileRange).isEmpty)
  }

  @Test func requestCompletesWhenEveryModuleHasAnswered() {
    var ledger = FinalizationLedger()
    ledger.add(.init(id: 1, through: time(1), isLast: false))
    ledger.add(.init(id: 2, through: nil, isLast: true))
    #expect(ledger.due(end: time(0.9), isInputOver: false).isEmpty)
    #expect(ledger.isWaiting(1))
    #expect(ledger.due(end: time(1), isInputOver: false).map(\.id) == [1])
    #expect(!ledger.isWaiting(1))
    #expect(ledger.isWaiting(2))
    ledger.begin(1, end: time(1.2), modules: [7, 8])
    ledger.answer(1, by: 7)
    let half = ledger.completed()
    #expect(half == nil)
    #expect(ledger.contains(1))
    ledger.answer(nil, by: 8)
    let whole = ledger.completed()
    #expect(whole == time(1.2))
    #expect(!ledger.contains(1))
    #expect(ledger.due(end: nil, isInputOver: true).map(\.id) == [2])
    ledger.begin(2, end: .zero, modules: [])
    ledger.forget(2)
    #expect(!ledger.contains(2))
  }
}
