import Foundation
import Longhand
import Testing

@testable import LonghandArchive

@Suite struct StoreCoverageTests {
  private static func span(
    _ start: Double, _ end: Double, _ kind: CoverageSpan.Kind = .silent
  ) -> CoverageSpan { CoverageSpan(start: start, end: end, kind: kind) }

  @Test func overlappingSpanIsCutAtTheStart() throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      let other = try store.add([])
      let old = [Self.span(0, 2), Self.span(2, 6, .transcribed), Self.span(6, 9, .pending)]
      for session in [session, other] { try store.setCoverage(old, of: session) }
      try store.setCoverage([Self.span(4, 5, .failed), Self.span(5, 12)], from: 4, of: session)
      #expect(
        try store.coverageSpans(of: session) == [
          Self.span(0, 2), Self.span(2, 4, .transcribed), Self.span(4, 5, .failed), Self.span(5, 12),
        ])
      #expect(try store.coverageSpans(of: other) == old)
      // At a border nothing is cut, and nothing has to follow.
      try store.setCoverage([], from: 4, of: session)
      #expect(try store.coverageSpans(of: session) == [Self.span(0, 2), Self.span(2, 4, .transcribed)])
    }
  }

  @Test func onlyTheOverlappingSpanIsCut() throws {
    try StoreFixture.temporary { store in
      for spans in [[Self.span(1, 1), Self.span(1, 3)], [Self.span(1, 3), Self.span(3, 3)]] {
        let session = try store.add([])
        try store.setCoverage(spans, of: session)
        try store.setCoverage([Self.span(2, 4, .gap)], from: 2, of: session)
        let known = try store.coverageSpans(of: session).filter { $0.end > $0.start }
        #expect(known == [Self.span(1, 2), Self.span(2, 4, .gap)])
      }
    }
  }

  /// What is known elsewhere stays as it is, also where a person removed the words.
  @Test func coverageChangesWhereSegmentChangesOnly() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one", "two", "three", "four"])
      try store.setCoverage(
        [
          Self.span(0, 5, .transcribed), Self.span(5, 6, .wordless), Self.span(6, 11, .transcribed),
          Self.span(11, 12), Self.span(12, 17, .transcribed), Self.span(17, 18, .failed),
          Self.span(18, 23, .transcribed), Self.span(23, 30, .pending),
        ], of: session)
      func others() throws -> [Int] {
        try store.write { database in
          try database.rows("SELECT rowid FROM coverage_span WHERE start < 6 OR start >= 18") {
            $0.integer(0)
          }
        }
      }
      let before = try others()
      try store.edit([0], to: [], in: session)
      let selection = Segment.Selection(index: 0, rule: "recognizer")
      try store.revise(1, in: session, selection: selection, range: 6...8, reason: "shorter")
      try store.revise(2, in: session, selection: selection, range: 12...17.5, reason: "longer")
      #expect(
        try store.coverageSpans(of: session) == [
          Self.span(0, 5, .transcribed), Self.span(5, 6, .wordless),
          Self.span(6, 8, .transcribed), Self.span(8, 12), Self.span(12, 17.5, .transcribed),
          Self.span(17.5, 18, .failed), Self.span(18, 23, .transcribed), Self.span(23, 30, .pending),
        ])
      #expect(try others() == before)
    }
  }

  /// A file has grown: its last segment may have been cut off, and nothing that a person wrote is replaced.
  @Test(arguments: [false, true]) func endIsOpenAgainFromTheLastWordsThatStay(_ isCorrected: Bool) throws {
    try StoreFixture.temporary { store in
      let id = try store.add(["one", "two"])
      let old = try store.page(of: id, limit: 9)
      var session = try store.session(matching: id)
      session.duration = old[1].end + 1
      try store.setCoverage(
        [
          Self.span(0, old[0].start), Self.span(old[0].start, old[0].end, .transcribed),
          Self.span(old[1].start, old[1].end, .transcribed), Self.span(old[1].end, session.duration),
        ], of: id)
      if isCorrected { try store.correct(0..<1, to: "zebra", of: 1, in: id) }
      let passage = Translation.Passage(start: 0, end: session.duration, text: "one two")
      try store.setTranslation(Translation(model: "test", passages: [passage]), of: id)
      // Twice: the process may have been killed after the first time.
      for _ in 0..<2 {
        try store.reopenEnd(of: session)
        #expect(try store.page(of: id, limit: 9).map(\.text) == ["one", isCorrected ? "zebra" : ""])
        #expect(try store.translation(of: id) == nil)
        let start = isCorrected ? old[1].end : old[1].start
        let spans = try store.coverageSpans(of: id)
        #expect(spans.last == Self.span(start, session.duration, .pending))
        #expect(spans.contains { $0.kind == .transcribed && $0.end == old[0].end })
      }
      #expect(try store.revisions(of: 1, in: id).first?.segment.text == "two")
    }
  }

  @Test func invalidSpansRejectTheSegmentsToo() throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      let old = [Self.span(0, 9, .pending)]
      try store.setCoverage(old, of: session)
      let wrong = [
        [Self.span(3, 5)], [Self.span(4, 6), Self.span(5, 7)], [Self.span(6, 5)],
        [Self.span(4, .infinity)], [Self.span(.nan, 5)],
      ]
      for spans in wrong {
        expect(
          .invalid("coverage spans must be finite, must not end before they start, and must not overlap")
        ) {
          try store.commit([StoreFixture.segment(0, "one")], spans, from: 4, to: session)
        }
      }
      #expect(try store.coverageSpans(of: session) == old)
      #expect(try store.page(of: session, limit: 9).isEmpty)
    }
  }

  @Test func rejectedSegmentsKeepTheOldSpans() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["zero"])
      let old = [Self.span(0, 9, .pending)]
      try store.setCoverage(old, of: session)
      expect(.outOfOrder(expected: 2, given: 3)) {
        try store.commit(
          [StoreFixture.segment(1, "one"), StoreFixture.segment(3, "three")], [Self.span(4, 6)], from: 4,
          to: session)
      }
      #expect(try store.coverageSpans(of: session) == old)
      #expect(try store.page(of: session, limit: 9).map(\.text) == ["zero"])
      // Without spans what is known stays.
      try store.commit([StoreFixture.segment(1, "one")], nil, from: 0, to: session)
      #expect(try store.coverageSpans(of: session) == old)
    }
  }
}
