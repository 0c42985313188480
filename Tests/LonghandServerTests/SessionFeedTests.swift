import Foundation
import ScriptedSpeech
import Testing

@testable import LonghandServer

@Suite struct SessionFeedTests {
  /// A reader at any pace gets every segment; one that is too far behind reads the store.
  @Test func readerAtAnyPaceGetsEverySegment() {
    var generator = SeededGenerator(seed: 3)
    for pace in [1, 5, 300, 2000] {
      var feed = SessionFeed(after: 40)
      var all: [Int] = []
      var cursor = 40
      var seen: [Int] = []
      var next = 40
      var late = 0
      for round in 0..<3000 {
        // Other sessions use sequence numbers, too.
        next += Int.random(in: 1...3, using: &generator)
        feed.add(Data("\(next)".utf8), sequence: next)
        all.append(next)
        guard round % pace == 0 else { continue }
        if let events = feed.events(after: cursor) {
          seen += events.map(\.sequence)
        } else {
          late += 1
          seen += all.filter { $0 > cursor }
        }
        cursor = seen.last ?? cursor
        #expect(seen == all)
      }
      #expect(feed.kept.count <= 2 * SessionFeed.maxKept)
      #expect(pace > 2 * SessionFeed.maxKept ? late > 0 : pace > 256 || late == 0)
    }
  }

  @Test func segmentIsSentOnce() {
    var feed = SessionFeed(after: 3)
    for number in [4, 4, 2, 6] { feed.add(Data(), sequence: number) }
    #expect(feed.events(after: 3)?.map(\.sequence) == [4, 6])
    #expect(feed.events(after: 5)?.map(\.sequence) == [6])
    #expect(feed.events(after: 6)?.map(\.sequence) == [])
    #expect(feed.events(after: 100)?.map(\.sequence) == [])
    #expect(feed.events(after: 2) == nil)
  }
}
