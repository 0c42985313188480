import Foundation
import Longhand
import Testing

@testable import LonghandArchive

@Suite struct StoreNormalizationTests {
  private static let spellings: Vocabulary = {
    var vocabulary = Vocabulary(name: "jiu-jitsu")
    vocabulary.corrections = [.init(recognized: "half card", text: "Half Guard")]
    vocabulary.entities = ["Kimura", "Half Guard"]
    return vocabulary
  }()

  private func begin(_ texts: [String], in store: TranscriptStore, _ spellings: Vocabulary? = spellings)
    throws -> String
  {
    let session = StoreFixture.session()
    try store.begin(session, spellings: spellings)
    try store.append(texts.enumerated().map { StoreFixture.segment($0, $1) }, to: session.id)
    return session.id
  }

  @Test func secondTextIsStoredWithItsSegment() throws {
    try StoreFixture.temporary { store in
      let id = try begin(["worked my kimura from half card", "nothing of it", "a kimura"], in: store)
      #expect(try store.page(of: id, limit: 9).map(\.text).first == "worked my kimura from half card")
      let texts = try store.normalizedSegments(of: id)
      #expect(texts[0]?.text == "worked my Kimura from Half Guard")
      #expect(texts[0]?.extractedTerms == ["Kimura", "Half Guard"])
      #expect(texts[0]?.spans.map(\.original) == ["kimura", "half card"])
      #expect(texts[1] == nil)
      #expect(
        try store.shownSegments(of: id, from: 1, limit: 2).map { $0.normalized != nil } == [false, true])
      let whole = try #require(try store.normalizedTranscript(of: id))
      #expect(whole.text == "worked my Kimura from Half Guard nothing of it a Kimura")
      let source = Array("worked my kimura from half card nothing of it a kimura".utf8)
      #expect(
        whole.occurrences.map { String(decoding: source[$0.source], as: UTF8.self) } == [
          "kimura", "half card", "kimura",
        ])
    }
  }

  /// A vocabulary without a language has the sounds of English, which say nothing of words of other languages.
  @Test(
    arguments: [
      ("en-US", nil, "a Kimura, a Kimura"), ("de-DE", nil, "a kimora, a Kimura"),
      ("de-DE", "en-GB", "a Kimura, a Kimura"), ("en-US", "pl-PL", "a kimora, a Kimura"),
    ] as [(String, String?, String)])
  func namesAreFoundBySoundInEnglishSegmentsOnly(_ locale: String, _ language: String?, _ text: String) throws
  {
    try StoreFixture.temporary { store in
      var session = StoreFixture.session()
      session.locale = locale
      try store.begin(session, spellings: Self.spellings)
      var segment = StoreFixture.segment(0, "a kimora, a kimura")
      segment.candidates[0].language = language
      try store.append([segment], to: session.id)
      #expect(try store.normalizedSegments(of: session.id)[0]?.text == text)
      // The same when the vocabulary is set again.
      try store.setSpellings(Self.spellings, of: session.id)
      #expect(try store.normalizedSegments(of: session.id)[0]?.text == text)
    }
  }

  /// The words of a search, and the texts that it finds.
  @Test(arguments: [
    ("half guard", ["worked my Kimura from Half Guard"]), ("Guard kim", ["worked my Kimura from Half Guard"]),
    ("kimura gua", ["worked my Kimura from Half Guard"]),
    ("GÚARD", ["worked my Kimura from Half Guard"]), ("half card", ["worked my kimura from half card"]),
    ("kimura", ["worked my kimura from half card", "a kimura"]), ("half nothing", []),
    ("guard", ["worked my Kimura from Half Guard"]),
    ("%", []), ("_ard", []),
  ]) func plainSearchFindsSecondTexts(_ words: String, _ texts: [String]) throws {
    try StoreFixture.temporary { store in
      let id = try begin(["worked my kimura from half card", "nothing of it", "a kimura"], in: store)
      let hits = try store.search(words)
      #expect(hits.map(\.text) == texts)
      #expect(hits.allSatisfy { $0.session == id && $0.fragments.contains(where: \.isMatch) })
      #expect(try store.search(words, limit: 1).map(\.text) == Array(texts.prefix(1)))
      #expect(try store.search(words, of: SessionFilter(tag: "none")).isEmpty)
    }
  }

  @Test func secondTextAloneIsSearched() throws {
    try StoreFixture.temporary { store in
      _ = try begin(["a half card", "the guard", "half card again"], in: store)
      func texts(_ words: String) throws -> [String] {
        try store.search(words, isSecondTextOnly: true).map(\.text)
      }
      #expect(try texts("guard") == ["a Half Guard", "the guard", "Half Guard again"])
      #expect(try texts("half") == ["a Half Guard", "Half Guard again"])
      #expect(try texts("card").isEmpty)
      #expect(try store.search("card").count == 2)
    }
  }

  /// A name is found by its spelling, by a correction, and by its sound; the database knows it by its ID.
  @Test func placesSayWhichEntityWasFoundAndHow() throws {
    try StoreFixture.temporary { store in
      var vocabulary = Self.spellings
      vocabulary.entities.append("Berimbolo")
      vocabulary.entityIDs = ["Berimbolo": "w-1", "Half Guard": "17"]
      let id = try begin(["my kimura from half card", "the brim paulo"], in: store, vocabulary)
      let found = try store.occurrences(in: id)
      #expect(found.map(\.term) == ["Kimura", "Half Guard", "Berimbolo"])
      #expect(found.map(\.id) == [nil, "17", "w-1"])
      #expect(found.map(\.provenance) == [.exactMatch, .declaredCorrection, .fuzzyMatch])
      #expect(try store.normalizedSegments(of: id)[1]?.occurrences.first?.id == "w-1")
      #expect(try store.normalizedTranscript(of: id)?.occurrences.map(\.id) == [nil, "17", "w-1"])
      #expect(try store.search(term: "w-1").map(\.segment) == [1])
      #expect(try store.search(term: "18").isEmpty)
      let second = try store.transcript(of: id).inSecondText(store.normalizedSegments(of: id))
      #expect(second.segments.map(\.text) == ["my Kimura from Half Guard", "the Berimbolo"])
      let words = second.segments.flatMap(\.words)
      #expect(words.map(\.text) == ["my", "Kimura", "from", "Half", "Guard", "the", "Berimbolo"])
      #expect(words.allSatisfy { $0.start <= $0.end })
    }
  }

  @Test func hitsOfBothTextsAreInOrder() throws {
    try StoreFixture.temporary { store in
      let id = try begin(["a half card", "the guard", "half card again"], in: store)
      let hits = try store.search("guard")
      #expect(hits.map(\.segment) == [0, 1, 2])
      #expect(try store.search("guard", limit: 2).map(\.segment) == [0, 1])
      let named = try store.search(term: "half guard")
      #expect(named.map(\.segment) == [0, 2])
      #expect(named.map { $0.fragments.filter(\.isMatch).map(\.text) } == [["half card"], ["half card"]])
      #expect(try store.search(term: "half guard", of: SessionFilter(session: "none")).isEmpty)
      try store.setSpellings(nil, of: id)
      #expect(try store.search("guard").map(\.segment) == [1])
    }
  }

  @Test func sentencesHaveTheNamesOfTheVocabulary() throws {
    try StoreFixture.temporary { store in
      var vocabulary = Vocabulary(name: "web")
      vocabulary.terms = [.init(text: "GraphQL")]
      let id = try begin(["we use graphql"], in: store, vocabulary)
      #expect(try store.transcript(of: id).writtenInSentences().segments.map(\.text) == ["We use GraphQL."])
      let page = try store.shownSegments(of: id, from: 0, limit: 9)
      #expect(page.map { $0.written.text.hasPrefix("We use GraphQL") } == [true])
      let hits = try store.written(store.search("graphql"))
      #expect(hits.flatMap(\.fragments).filter(\.isMatch).map(\.text) == ["GraphQL"])
    }
  }

  @Test func secondTextStaysWithASegmentThatGetsAnotherBeforeIt() throws {
    try StoreFixture.temporary { store in
      let id = try begin(["worked my kimura from half card"], in: store)
      _ = try store.apply(
        [.insert(after: nil, StoreFixture.segment(0, "something before"))], reason: "transcribed again", [],
        to: try store.session(matching: id), spellings: Self.spellings)
      #expect(try store.segments(of: id, from: 0, limit: 9).map(\.text).first == "something before")
      #expect(try store.normalizedSegments(of: id).keys.sorted() == [0])
      #expect(try store.normalizedSegments(of: id)[0]?.text == "worked my Kimura from Half Guard")
      #expect(try store.occurrences(of: "Kimura", limit: 9).map(\.segment) == [0])
    }
  }

  /// Words of a third of a second; the second segment begins at 6 seconds.
  @Test func termsAreFoundAtTheirTimes() throws {
    try StoreFixture.temporary { store in
      let id = try begin(["worked my kimura from half card", "a kimura"], in: store)
      let other = try begin(["no kimura"], in: store)
      let found = try store.occurrences(in: id)
      #expect(found.map(\.term) == ["Kimura", "Half Guard", "Kimura"])
      #expect(found.map(\.segment) == [0, 0, 1])
      for (occurrence, start) in zip(found, [2.0 / 3, 4.0 / 3, 6 + 1.0 / 3]) {
        #expect(abs(occurrence.start - start) < 0.001)
      }
      #expect(abs(found[1].end - 2) < 0.001)
      #expect(try Set(store.occurrences(of: "KIMURA").map(\.session)) == [id, other])
      #expect(try store.occurrences(of: "guard").isEmpty)
      #expect(try store.occurrences(limit: 2).count == 2)
    }
  }

  @Test func secondTextFollowsTheCurrentRevision() throws {
    try StoreFixture.temporary { store in
      let session = StoreFixture.session()
      try store.begin(session, spellings: Self.spellings)
      try store.append(
        StoreFixture.segment(0, "a camera", alternatives: ["a kimura"]), to: session.id)
      #expect(try store.occurrences(in: session.id).isEmpty)
      try store.choose(1, of: 0, in: session.id)
      #expect(try store.normalizedSegments(of: session.id)[0]?.text == "a Kimura")
      #expect(try store.occurrences(in: session.id).map(\.term) == ["Kimura"])
      try store.restore(0, of: 0, in: session.id)
      #expect(try store.occurrences(in: session.id).isEmpty)
    }
  }

  @Test func otherSpellingsReplaceTheSecondText() throws {
    try StoreFixture.temporary { store in
      let id = try begin(["worked my kimura from half card"], in: store, nil)
      #expect(try store.normalizedTranscript(of: id) == nil)
      try store.setSpellings(Self.spellings, of: id)
      #expect(try store.occurrences(in: id).count == 2)
      #expect(try store.spellings(of: id) == Self.spellings)
      try store.setSpellings(nil, of: id)
      #expect(try store.occurrences(in: id).isEmpty)
      #expect(try store.normalizedSegments(of: id).isEmpty)
    }
  }

  /// A vocabulary of a program may be one that no file could be.
  @Test func impossibleSpellingsCostNoText() throws {
    try StoreFixture.temporary { store in
      var impossible = Vocabulary(name: "names")
      impossible.corrections = [.init(recognized: " ", text: "Kimura")]
      #expect(throws: StoreError.self) { _ = try begin(["a"], in: store, impossible) }
      let id = try begin(["a"], in: store)
      try store.write { try $0.run("UPDATE session SET spellings = '{'") }
      try store.append(StoreFixture.segment(1, "a kimura"), to: id)
      #expect(try store.page(of: id, limit: 9).map(\.text) == ["a", "a kimura"])
    }
  }

  @Test func erasureLeavesNoSecondText() throws {
    try StoreFixture.temporary { store in
      var spellings = Vocabulary(name: "names")
      spellings.corrections = [.init(recognized: "half card", text: "Qxjvkwzpgmbh")]
      spellings.entities = ["Qxjvkwzpgmbh", "Zqpwjxvkmgbd"]
      let id = try begin(["from half card"], in: store, spellings)
      for word in ["Qxjvkwzpgmbh", "Zqpwjxvkmgbd"] { #expect(try store.holds(word)) }
      try store.erase(id)
      for word in ["Qxjvkwzpgmbh", "Zqpwjxvkmgbd"] { #expect(try !store.holds(word)) }
      #expect(try store.occurrences().isEmpty)
    }
  }
}
