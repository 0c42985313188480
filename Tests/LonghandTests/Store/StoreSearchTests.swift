import Foundation
import Longhand
import Testing

@testable import LonghandArchive

@Suite struct StoreSearchTests {
  private func texts(_ store: TranscriptStore, _ query: String) throws -> [String] {
    try store.search(query).map(\.text)
  }

  @Test func hitHasSessionSegmentAndTimes() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["nothing here", "The Kimura, a kimura lock"])
      let hits = try store.search("kimura")
      #expect(hits.count == 1)
      let hit = try #require(hits.first)
      #expect(hit.session == session)
      #expect(hit.segment == 1)
      #expect(hit.start == 6)
      #expect(hit.end == 11)
      #expect(hit.fragments.map(\.text) == ["The ", "Kimura", ", a ", "kimura", " lock"])
      #expect(hit.fragments.map(\.isMatch) == [false, true, false, true, false])
    }
  }

  @Test func allWordsMustMatchAndTheLastByItsStart() throws {
    try StoreFixture.temporary { store in
      _ = try store.add(["we play the Winawer", "Écoute the play", "don't resign"])
      #expect(try texts(store, "play the") == ["we play the Winawer", "Écoute the play"])
      #expect(try texts(store, "play win") == ["we play the Winawer"])
      #expect(try texts(store, "win play") == [])
      #expect(try texts(store, "ecoute") == ["Écoute the play"])
      #expect(try texts(store, "don't") == ["don't resign"])
      #expect(try texts(store, "draw") == [])
      #expect(try store.search("the", limit: 1).count == 1)
      #expect(try store.search("the", limit: -1).isEmpty)
    }
  }

  @Test(arguments: [
    "\" OR * NEAR(", "\"", "\"\"\"", "*", "(", "NOT", "text : a", "a AND", "^a", "-a", "{a b}: c", "\u{0}",
    "a\u{0}b",
    "\"\u{301}", "a\"\u{301} OR b", "", "  ", "'; DROP TABLE session; --", "\u{FEFF}", "👩‍👩‍👧‍👦", "NEAR(a b, 2)",
  ])
  func typedCharactersAreNoOperators(_ query: String) throws {
    try StoreFixture.temporary { store in
      _ = try store.add(["quiet words", "a NEAR miss OR NOT"])
      for hit in try store.search(query) { #expect(hit.text == "a NEAR miss OR NOT") }
      #expect(try texts(store, "quiet OR miss") == [])
      #expect(try texts(store, "near or not") == ["a NEAR miss OR NOT"])
      #expect(try store.search("quiet").count == 1)
    }
  }

  @Test(arguments: RandomTranscripts.hostile)
  func hitHasTheTextOfItsSegment(_ hostile: String) throws {
    try StoreFixture.temporary { store in
      let text = "begin \(hostile)needle\(hostile) \u{301}needle end"
      let session = try store.add(["x"])
      try store.append(StoreFixture.segment(1, text), to: session)
      #expect(
        try texts(store, "begin").map { $0.unicodeScalars.elementsEqual(text.unicodeScalars) } == [true])
    }
  }

  /// A revision is stored later than segments that were said after it.
  @Test func hitsOfASessionAreInTheOrderOfTime() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["first lock", "second lock", "third lock"])
      try store.revise(
        0, in: session, candidates: [StoreFixture.segment(0, "first Lock").chosen],
        selection: .init(index: 0, rule: "person"), reason: "a name")
      #expect(try texts(store, "lock") == ["first Lock", "second lock", "third lock"])
    }
  }

  @Test func onlyTheNewestRevisionIsFound() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["the camera lock"])
      try store.revise(
        0, in: session, candidates: [StoreFixture.segment(0, "the Kimura lock").chosen],
        selection: .init(index: 0, rule: "person"), reason: "a name")
      #expect(try texts(store, "camera") == [])
      #expect(try texts(store, "kimura") == ["the Kimura lock"])
      #expect(try texts(store, "lock") == ["the Kimura lock"])
    }
  }

  @Test func erasedTextIsNotFound() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["the same words"])
      let other = try store.add(["the same words"])
      try store.erase(session)
      #expect(try store.search("same").map(\.session) == [other])
    }
  }

  /// Sessions that were not stored in the order of their starts, and segments that were changed later.
  @Test(arguments: 1...4) func frequentWordsHaveTheSameHitsInTheSameOrder(limit: Int) throws {
    try StoreFixture.temporary { store in
      var sessions: [String] = []
      for start in [50, 10, 40, 90, 20, 20, 70] {
        let texts = (0..<3).map { $0 == start / 10 % 3 ? "other words" : "the word \(start)" }
        sessions.append(try store.add(texts, StoreFixture.session(start: Double(start))))
      }
      _ = try store.add([], StoreFixture.session(start: 80))
      _ = try store.revise(0, in: sessions[3], selection: .recognizer, reason: "again")
      _ = try store.revise(1, in: sessions[0], selection: .recognizer, reason: "again")
      for (query, limit) in [("\"the\"*", limit), ("\"wor\"*", limit * 5), ("\"none\"*", limit)] {
        let (all, newest, found) = try store.read { database in
          let search = IndexSearch(database: database, query: query, limit: limit)
          return (try search.all(), try search.newestFirst(), try search.hits())
        }
        #expect(newest == all)
        #expect(found == all)
      }
    }
  }

  @Test func manyMatchesAreNotSorted() throws {
    try StoreFixture.temporary { store in
      let session = try store.add((0..<30).map { "the number \($0)" })
      let isFrequent = try store.read { database in
        var search = IndexSearch(database: database, query: "\"the\"*", limit: 2)
        search.maxSorted = 20
        let atTwenty = try search.matches() == nil
        search.maxSorted = 30
        return [atTwenty, try search.matches() == nil]
      }
      #expect(isFrequent == [true, false])
      #expect(try store.search("the", limit: 2).map(\.segment) == [0, 1])
      #expect(try store.search("number 7").map(\.session) == [session])
    }
  }
}
