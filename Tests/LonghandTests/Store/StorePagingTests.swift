import Foundation
import Longhand
import Testing

@Suite struct StorePagingTests {
  @Test func pagesHaveEachSegmentOnce() throws {
    try StoreFixture.temporary { store in
      let session = try store.add((0..<100).map { "word \($0)" })
      _ = try store.add(["of another"])
      for id in stride(from: 0, to: 100, by: 7) {
        try store.revise(id, in: session, selection: .init(index: 0, rule: "again"), reason: "test")
      }
      for limit in [1, 7, 100, 1000] {
        var found: [Segment] = []
        while true {
          let page = try store.page(of: session, before: found.first?.id, limit: limit)
          if page.isEmpty { break }
          #expect(page.count == min(limit, 100 - found.count))
          found = page + found
        }
        #expect(found.map(\.id) == Array(0..<100))
        #expect(found.allSatisfy { $0.revision == ($0.id % 7 == 0 ? 1 : 0) })
      }
      #expect(try store.page(of: session, limit: 0).isEmpty)
      #expect(try store.page(of: session, limit: -1).isEmpty)
      #expect(try store.page(of: session, before: 0, limit: 5).isEmpty)
    }
  }

  @Test func sessionsComeNewestFirstInPages() throws {
    try StoreFixture.temporary { store in
      // Some begin in the same second; then the one that was stored last is the newest.
      let ids = try (0..<10).map { try store.add([], StoreFixture.session(start: Double($0 / 3))) }
      var found: [RecordedSession] = []
      while true {
        let page = try store.sessions(before: found.last, limit: 3)
        if page.isEmpty { break }
        found += page
      }
      #expect(found.map(\.id) == ids.reversed())
      #expect(try store.session(matching: "last").id == ids.last)
      try store.erase(ids[9])
      #expect(try store.session(matching: "last").id == ids[8])
    }
  }
}
