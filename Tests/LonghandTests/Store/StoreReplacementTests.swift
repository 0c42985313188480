import Longhand
import Testing

@testable import LonghandArchive

@Suite struct StoreReplacementTests {
  private func places(_ found: [TranscriptStore.TextPlace]) -> [TranscriptStore.Replaced] {
    found.map {
      TranscriptStore.Replaced(
        session: $0.session, segment: $0.segment.id, first: $0.words.lowerBound, end: $0.words.upperBound,
        revision: $0.segment.revision)
    }
  }

  private func texts(_ store: TranscriptStore, _ sessions: [String]) throws -> [String] {
    try sessions.flatMap { try store.segments(of: $0, from: 0, limit: 100).map(\.text) }
  }

  @Test func wordsAreReplacedInAllSessionsAndUndoneAtOnce() throws {
    try StoreFixture.temporary { store throws in
      let before = ["when our plays when our", "no name", "When our, again"]
      let sessions = [
        try store.add(Array(before.prefix(2)), StoreFixture.session(start: 1)),
        try store.add([before[2]], StoreFixture.session(start: 0)),
      ]
      let found = try store.textPlaces(of: "when our", in: nil)
      #expect(found.map(\.session) == [sessions[0], sessions[0], sessions[1]])
      #expect(try store.textPlaces(of: "when our", in: sessions[1]).count == 1)
      // One is left out.
      let chosen = [places(found)[0], places(found)[2]]
      let done = try store.replace(chosen, with: "Winawer")
      #expect(done.count == 2)
      let after = try texts(store, sessions)
      #expect(after == ["Winawer plays when our", "no name", "Winawer again"])
      #expect(try store.undo(done).count == 2)
      #expect(try texts(store, sessions) == before)
      #expect(try store.undo(done).isEmpty)
      #expect(try store.audit().problems == [])
    }
  }

  /// Everywhere or nowhere.
  @Test func nothingIsReplacedIfOnePlaceHasChanged() throws {
    try StoreFixture.temporary { store throws in
      let session = try store.add(["a name", "a name"])
      let known = places(try store.textPlaces(of: "name", in: session))
      try store.correct(0..<1, to: "the", of: 1, in: session)
      #expect(throws: StoreError.self) { try store.replace(known, with: "title") }
      #expect(try texts(store, [session]) == ["a name", "the name"])
    }
  }

  @Test func laterCorrectionsStayWhenAReplacementIsUndone() throws {
    try StoreFixture.temporary { store throws in
      let session = try store.add(["a name", "a name"])
      let done = try store.replace(places(try store.textPlaces(of: "name", in: session)), with: "title")
      try store.correct(0..<1, to: "the", of: 1, in: session)
      #expect(try store.undo(done).map(\.segment) == [0])
      #expect(try texts(store, [session]) == ["a name", "the title"])
    }
  }
}
