import Foundation
import Longhand
import Testing

@Suite struct StoreRoundTripTests {
  @Test func sessionRoundTrips() throws {
    try StoreFixture.temporary { store in
      let session = RecordedSession(
        source: "ü \u{0} 'talk'", locale: "de-CH", engine: "rolling",
        start: Date(timeIntervalSinceReferenceDate: 0.1 + 0.2), duration: 1.1 / 3, state: .interrupted,
        vocabulary: VocabularyStamp(name: "chess", sha256: "00ff"), folder: "/a folder")
      try store.begin(session)
      #expect(try store.session(matching: session.id) == session)
      expect(.sessionExists(session.id)) { try store.begin(session) }
      let changed = RecordedSession(
        id: try #require(UUID(uuidString: session.id)), source: "", locale: "en-US", engine: "analyzer",
        start: .now, duration: 3600, state: .complete)
      try store.update(changed)
      #expect(try TranscriptStore(at: store.folder).sessions() == [changed])
      let other = StoreFixture.session()
      expect(.noSession(other.id)) { try store.update(other) }
    }
  }

  @Test(arguments: 0..<30)
  func transcriptRoundTrips(seed: UInt64) throws {
    var transcript = RandomTranscripts.transcript(seed: seed)
    // The manifest of the recording has the first two; the third is measured in the stored audio.
    (transcript.warnings, transcript.statedDuration, transcript.voice) = ([], nil, nil)
    try StoreFixture.temporary { store in
      let session = RecordedSession(
        source: transcript.source, locale: transcript.locale, engine: transcript.engine, start: .now,
        duration: transcript.duration)
      try store.begin(session)
      for segment in transcript.segments { try store.append(segment, to: session.id) }
      try store.setCoverage(
        [CoverageSpan(start: 0, end: transcript.duration, kind: .transcribed)], of: session.id)
      var read = try store.transcript(of: session.id)
      #expect(read.date.map { abs($0.timeIntervalSince(session.start)) < 0.01 } == true)
      (read.spans, read.date) = ([], nil)
      #expect(read == transcript)
    }
  }

  @Test func committedSegmentsDoNotChange() throws {
    let (same, other) = (StoreFixture.segment(1, "two"), StoreFixture.segment(1, "three"))
    let (next, afterNext) = (StoreFixture.segment(2, "x"), StoreFixture.segment(3, "y"))
    let endless = Segment(
      id: 2, start: 12, end: .infinity, candidates: [Candidate(text: "x", words: [], confidence: 0)])
    try StoreFixture.temporary { store in
      let session = try store.add(["one", "two"])
      try store.append(same, to: session)
      expect(.alreadyCommitted(1)) { try store.append(other, to: session) }
      expect(.outOfOrder(expected: 2, given: 3)) { try store.append(afterNext, to: session) }
      // All or none: the first of these could be.
      expect(.alreadyCommitted(1)) { try store.append([next, other], to: session) }
      expect(.invalid("segment 2 has impossible times")) {
        try store.append(endless, to: session)
      }
      expect(.noSession("x")) { try store.append(next, to: "x") }
      #expect(try store.transcript(of: session).text == "one two")
    }
  }

  @Test func revisionKeepsTheOldVersion() throws {
    try StoreFixture.temporary { store in
      let session = StoreFixture.session()
      try store.begin(session)
      let first = StoreFixture.segment(0, "nite to f three", alternatives: ["knight to f three"])
      try store.append(first, to: session.id)
      let second = try store.revise(
        0, in: session.id, selection: .init(index: 1, rule: "context"), reason: "a chess move")
      let third = try store.revise(
        0, in: session.id, candidates: [StoreFixture.segment(0, "knight f3").chosen],
        selection: .init(index: 0, rule: "person"), reason: "corrected by hand")
      #expect(second.text == "knight to f three")
      #expect(second.revision == 1)
      let revisions = try store.revisions(of: 0, in: session.id)
      #expect(revisions.map(\.segment) == [first, second, third])
      #expect(revisions.map(\.reason) == ["", "a chess move", "corrected by hand"])
      #expect(revisions.allSatisfy { abs($0.date.timeIntervalSinceNow) < 60 })
      #expect(try store.segment(0, in: session.id) == third)
      #expect(try store.segment(0, in: session.id, revision: 0) == first)
      #expect(try store.page(of: session.id, limit: 5) == [third])
      // The first text is what was committed; to commit it again changes nothing.
      try store.append(first, to: session.id)
      #expect(try store.transcript(of: session.id).segments == [third])
      expect(.noSegment(0)) { _ = try store.segment(0, in: session.id, revision: 3) }
      expect(.noSegment(7)) { try store.revise(7, in: session.id, selection: .recognizer, reason: "") }
      #expect(throws: StoreError.self) {
        try store.revise(0, in: session.id, selection: .init(index: 1, rule: "x"), reason: "")
      }
      #expect(throws: StoreError.self) { try store.append(second, to: session.id) }
    }
  }

  @Test func newCoverageReplacesTheOld() throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      #expect(try store.transcript(of: session).coverage == Coverage())
      let kinds = CoverageSpan.Kind.allCases.enumerated()
      let spans = kinds.map { index, kind in
        CoverageSpan(start: Double(index), end: Double(index) + 1, kind: kind, reason: "why \(index)")
      }
      for _ in 0..<2 { try store.setCoverage(spans.reversed(), of: session) }
      #expect(try store.coverageSpans(of: session) == spans)
      #expect(
        try store.transcript(of: session).coverage
          == Coverage(transcribed: 1, silent: 1, wordless: 1, nonspeech: 1, pending: 1, failed: 1, gaps: 1))
      let doubled = [
        CoverageSpan(start: 0, end: 2, kind: .silent), CoverageSpan(start: 1, end: 3, kind: .gap),
      ]
      #expect(throws: StoreError.self) { try store.setCoverage(doubled, of: session) }
      #expect(try store.coverageSpans(of: session) == spans)
    }
  }

  @Test func sessionIsFoundByStartOfID() throws {
    try StoreFixture.temporary { store in
      expect(.noSession("last")) { _ = try store.session(matching: "last") }
      let ids = ["aaaa0000-0000-0000-0000-000000000000", "aaab0000-0000-0000-0000-000000000000"]
      _ = try store.add([], StoreFixture.session(ids[0], start: 2))
      _ = try store.add([], StoreFixture.session(ids[1], start: 1))
      #expect(try store.session(matching: "AAAA").id == ids[0])
      #expect(try store.session(matching: ids[1]).id == ids[1])
      #expect(try store.session(matching: "last").id == ids[0])
      expect(.ambiguousSession("aaa", ids)) { _ = try store.session(matching: "aaa") }
      for text in ["b", "", "%", "aaaa~", "aaaa0000-0000-0000-0000-0000000000000"] {
        expect(.noSession(text)) { _ = try store.session(matching: text) }
      }
    }
  }
}
