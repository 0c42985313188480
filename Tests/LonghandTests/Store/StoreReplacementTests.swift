import Longhand
import StoreAuditing
import Testing

@testable import LonghandArchive

@Suite struct StoreReplacementTests {
  private func places(_ found: TranscriptStore.TextPlaces) -> [TranscriptStore.Replaced] {
    found.places.map(\.replaced)
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
      #expect(found.places.map(\.session) == [sessions[0], sessions[0], sessions[1]])
      #expect(try store.textPlaces(of: "when our", in: sessions[1]).places.count == 1)
      // One is left out.
      let chosen = [places(found)[0], places(found)[2]]
      let done = try store.replace(chosen, with: "Winawer")
      #expect(done.count == 2)
      let after = try texts(store, sessions)
      #expect(after == ["Winawer plays when our", "no name", "Winawer, again"])
      #expect(try store.undo(done).count == 2)
      #expect(try texts(store, sessions) == before)
      #expect(try store.undo(done).isEmpty)
      #expect(try store.audit().problems == [])
    }
  }

  @Test func textIsReplacedInsideOfWordsWithTheirCapitals() throws {
    try StoreFixture.temporary { store throws in
      let session = try store.add([
        "Moreland's house, moreland. MORELAND", "Westmoreland, Morelands, Westmoreland",
      ])
      let whole = try store.textPlaces(of: "moreland", in: nil)
      #expect(whole.places.count == 3)
      #expect(whole.left == ["Westmoreland,": 1, "Westmoreland": 1, "Morelands,": 1])
      _ = try store.replace(places(whole), with: "westbrook")
      let after = try texts(store, [session])
      #expect(after == ["Westbrook's house, westbrook. WESTBROOK", "Westmoreland, Morelands, Westmoreland"])
      let parts = try store.textPlaces(of: "moreland", in: session, isWhole: false)
      #expect(parts.left.isEmpty)
      _ = try store.replace(places(parts), with: "brook")
      #expect(try texts(store, [session])[1] == "Westbrook, Brooks, Westbrook")
    }
  }

  /// Words that are named without what is beside the text are replaced as they were typed.
  @Test func wordsWithoutATextBesideAreReplacedAsAWhole() throws {
    try StoreFixture.temporary { store throws in
      let session = try store.add(["Name, again"])
      let known = TranscriptStore.Replaced(session: session, segment: 0, first: 0, end: 1, revision: 0)
      _ = try store.replace([known], with: "title")
      #expect(try texts(store, [session]) == ["title again"])
      let wrong = TranscriptStore.Replaced(
        session: session, segment: 0, first: 1, end: 2, revision: 1, prefix: "x", suffix: "")
      #expect(throws: StoreError.self) { try store.replace([wrong], with: "more") }
      #expect(try texts(store, [session]) == ["title again"])
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

  /// Places that have words in common, or that were found in different revisions.
  @Test(
    arguments: [
      [(0, 1, 0), (0, 1, 0)], [(0, 2, 0), (1, 3, 0)], [(0, 4, 0), (1, 2, 0)], [(0, 1, 0), (2, 3, 1)],
      [(2, 2, 0)],
      [(2, 1, 0)], [(-1, 1, 0)], [(0, 5, 0)], [(.min, .max, 0)], [(.min, .min + 1, 0)], [(.max - 1, .max, 0)],
      [(0, 1 << 31, 0)], [(0, 1, .max)], [(0, 1, .min)], [(0, 1, -1)], [(0, 1, 1)],
    ] as [[(Int, Int, Int)]])
  func placesThatCannotBeReplacedChangeNothing(places: [(Int, Int, Int)]) throws {
    try StoreFixture.temporary { store throws in
      let session = try store.add(["one two three four", "one"])
      let sequence = try store.status(of: session).sequence
      let other = TranscriptStore.Replaced(session: session, segment: 1, first: 0, end: 1, revision: 0)
      #expect(throws: StoreError.self) {
        try store.replace(
          [other]
            + places.map {
              .init(session: session, segment: 0, first: $0.0, end: $0.1, revision: $0.2)
            }, with: "x")
      }
      #expect(try texts(store, [session]) == ["one two three four", "one"])
      #expect(try store.status(of: session).sequence == sequence)
      #expect(try store.steps(of: session) == .init(last: 0))
    }
  }

  @Test func replacementThatIsMadeAgainChangesNothing() throws {
    try StoreFixture.temporary { store throws in
      let session = try store.add(["a name", "a name"])
      let known = places(try store.textPlaces(of: "name", in: session))
      let done = try store.replace(known, with: "title")
      let sequence = try store.status(of: session).sequence
      #expect(try store.replace(known, with: "title") == done)
      #expect(try store.status(of: session).sequence == sequence)
      #expect(try store.steps(of: session) == .init(last: 1))
    }
  }
}

extension TranscriptStore.TextPlace {
  fileprivate var replaced: TranscriptStore.Replaced {
    .init(
      session: session, segment: segment.id, first: match.words.lowerBound, end: match.words.upperBound,
      revision: segment.revision, prefix: match.prefix, suffix: match.suffix)
  }
}

extension TranscriptStore {
  /// Replaces words wherever they are in a session.
  @discardableResult func replaceAll(
    _ words: String, with text: String, in session: String
  ) throws -> [Replacement] {
    try replace(textPlaces(of: words, in: session).places.map(\.replaced), with: text)
  }
}
