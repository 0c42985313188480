import Foundation
import Longhand
import Testing

@testable import LonghandTranscription

@Suite struct ChannelMergerTests {
  private func final(_ text: String, _ start: Double, _ end: Double) -> TranscriptionEvent {
    ScriptedEngine.final(text, start, end)
  }

  /// The texts of the finals and the times that are processed, as `2.0`.
  private func summary(_ events: [TranscriptionEvent]) -> [String] {
    events.compactMap { event in
      switch event.unwrapped {
      case (.final(_, _, let candidates, _), let channel):
        "\(channel.map(String.init) ?? "-"):\(candidates[0].text)"
      case (.processed(let time), _): "\(time)"
      default: nil
      }
    }
  }

  @Test func finalsComeInTheOrderOfTheirStart() {
    var merger = ChannelMerger(2, from: 0)
    var events = merger.take(final("a", 1, 2), of: 0)
    #expect(summary(events) == [])
    events = merger.take(final("d", 8, 9), of: 0)
    events += merger.take(final("b", 3, 7), of: 1)
    // "b" need not wait: the other channel has got to 8 seconds.
    #expect(summary(events) == ["0:a", "1:b"])
    events = merger.take(.processed(10), of: 0) + merger.take(.processed(10), of: 1)
    #expect(summary(events) == ["0:d", "10.0"])
  }

  /// What waits is not processed: after a crash the work continues before it.
  @Test func waitingFinalsAreNotProcessed() {
    var merger = ChannelMerger(2, from: 0)
    let events =
      merger.take(final("late", 4, 5), of: 1) + merger.take(.processed(6), of: 1)
      + merger.take(.processed(2), of: 0)
    #expect(summary(events) == ["2.0"])
    #expect(summary(merger.end(0)) == ["1:late", "6.0"])
  }

  @Test(arguments: 0..<50 as Range<UInt64>) func anyOrderOfArrivalGivesTheSame(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let channels: [[TranscriptionEvent]] = (0..<3).map { channel in
      var time = 0.0
      return (0..<20).map { index in
        let start = time + Double.random(in: 0...2, using: &random)
        time = start + Double.random(in: 0.1...2, using: &random)
        return index % 3 == 2 ? .processed(start) : final("\(channel)-\(index)", start, time)
      }
    }
    var (merger, rest, events) = (ChannelMerger(3, from: 0), channels.map { $0[...] }, [TranscriptionEvent]())
    while let channel = rest.indices.filter({ !rest[$0].isEmpty }).randomElement(using: &random) {
      events += merger.take(rest[channel].removeFirst(), of: channel)
    }
    for channel in rest.indices { events += merger.end(channel) }
    let starts = events.compactMap { event -> Double? in
      if case .final(let start, _, _, _) = event.unwrapped.event { start } else { nil }
    }
    #expect(starts == starts.sorted())
    #expect(starts.count == channels.joined().count { if case .final = $0 { true } else { false } })
    var processed = 0.0
    for event in events {
      switch event.unwrapped.event {
      case .processed(let time): processed = time
      case .final(let start, _, _, _): #expect(start >= processed)
      default: break
      }
    }
  }
}
