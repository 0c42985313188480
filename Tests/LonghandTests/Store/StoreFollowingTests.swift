import Foundation
import Longhand
import Testing

@Suite struct StoreFollowingTests {
  @Test func changesAreInSequence() throws {
    try StoreFixture.temporary { store in
      let other = try store.add(["x", "y"])
      let id = try store.add([])
      #expect(try store.status(of: id).sequence == 0)
      #expect(try store.status(of: id).segmentCount == 0)
      try store.append(StoreFixture.segment(0, "a", alternatives: ["b"]), to: id)
      _ = try store.add(["z"])
      try store.append(StoreFixture.segment(1, "c"), to: id)
      try store.revise(0, in: id, selection: .init(index: 1, rule: "user"), reason: "chosen")
      let all = try store.changes(of: id, after: 0, limit: 10)
      #expect(all.map(\.segment.text) == ["a", "c", "b"])
      #expect(all.map(\.segment.revision) == [0, 0, 1])
      #expect(all.map(\.sequence) == all.map(\.sequence).sorted())
      #expect(Set(all.map(\.sequence)).count == 3)
      #expect(try store.changes(of: id, after: all[0].sequence, limit: 1) == [all[1]])
      #expect(try store.changes(of: id, after: all[2].sequence, limit: 10).isEmpty)
      let standing = try store.status(of: id)
      #expect(standing.sequence == all[2].sequence)
      #expect(standing.segmentCount == 2)
      // The numbers of what is erased may come again, but never below a session's own.
      try store.erase(other)
      try store.append(StoreFixture.segment(2, "d"), to: id)
      #expect(try store.changes(of: id, after: standing.sequence, limit: 10).map(\.segment.text) == ["d"])
      expect(.noSession(other)) { _ = try store.changes(of: other, after: 0, limit: 1) }
      expect(.noSession(other)) { _ = try store.status(of: other) }
    }
  }

  @Test func anyPageOfSegmentsIsRead() throws {
    try StoreFixture.temporary { store in
      let id = try store.add((0..<20).map { "text \($0)" })
      #expect(try store.segments(of: id, from: 5, limit: 3).map(\.id) == [5, 6, 7])
      #expect(try store.segments(of: id, from: 18, limit: 10).map(\.id) == [18, 19])
      #expect(try store.segments(of: id, from: 20, limit: 10).isEmpty)
      #expect(try store.segments(of: id, from: 0, limit: .max) == store.transcript(of: id).segments)
    }
  }

  @Test func coverageAfterATimeIsRead() throws {
    try StoreFixture.temporary { store in
      let id = try store.add([])
      let spans = (0..<10).map { index -> CoverageSpan in
        let kind: CoverageSpan.Kind = index % 2 == 0 ? .transcribed : .silent
        return CoverageSpan(start: Double(index), end: Double(index + 1), kind: kind)
      }
      try store.setCoverage(spans, of: id)
      let end = Array(spans[7...])
      #expect(try store.coverageSpans(of: id, after: 7.5) == end)
      #expect(try store.coverageSpans(of: id, after: 7) == end)
      #expect(try store.coverageSpans(of: id, after: 100) == [spans[9]])
      #expect(try store.coverageSpans(of: id, after: 0) == store.coverageSpans(of: id))
      #expect(try store.status(of: id).coverage == Coverage(spans))
    }
  }

  @Test func versionChangesWithEveryCommitOnly() throws {
    try StoreFixture.temporary { store in
      let version = try StoreVersion(of: store)
      let id = try store.add(["a"])
      let before = try version.current()
      _ = try store.transcript(of: id)
      _ = try store.search("a")
      #expect(try version.current() == before)
      // This store's own connection, and one of another.
      try store.append(StoreFixture.segment(1, "b"), to: id)
      let after = try version.current()
      #expect(after != before)
      try TranscriptStore(at: store.folder).append(StoreFixture.segment(2, "c"), to: id)
      #expect(try version.current() != after)
    }
  }
}
