import Foundation
import Longhand
import Synchronization
import StoreAuditing
import TestSupport
import Testing

@testable import LonghandArchive

@Suite struct StoreCorrectionTests {
  private func withStore(
    _ segments: [Segment], _ body: (TranscriptStore, String) throws -> Void
  ) throws {
    try StoreFixture.temporary { store in
      let session = StoreFixture.session()
      try store.begin(session)
      try store.append(segments, to: session.id)
      try body(store, session.id)
    }
  }

  /// Changes a segment, or the speakers, if they have a revision.
  private static func change(
    _ kind: Int, _ store: TranscriptStore, _ session: String, _ revision: Int, _ number: Int
  ) throws {
    switch kind {
    case 0: _ = try store.correct(1..<2, to: "word\(number)", of: 0, in: session, ifRevision: revision)
    case 1: _ = try store.choose(1 + number % 2, of: 0, in: session, ifRevision: revision)
    case 2: _ = try store.restore(0, of: 0, in: session, ifRevision: revision)
    case 3:
      _ = try store.edit([0], to: ["text \(revision) \(number)"], in: session, ifRevisions: [revision])
    default:
      _ = try store.changeSpeakers(of: session, ifRevision: revision) {
        try $0.rename("channel1", to: "Anna \(revision) \(number)")
      }
    }
  }

  /// Four at once with the same revision: one is made, and the others are errors.
  @Test(arguments: 0..<5) func oneOfSeveralChangesWithTheSameRevisionIsMade(kind: Int) throws {
    let segment = StoreFixture.segment(0, "take the pawn", alternatives: ["bake the pawn", "take a pawn"])
    try withStore([segment]) { store, session throws in
      try store.changeSpeakers(of: session) { $0.addChannels(2) }
      for _ in 0..<(isSoak ? 200 : 50) {
        let isSpeakers = kind == 4
        let revision =
          isSpeakers
          ? try store.speakersRevision(of: session) : try store.segment(0, in: session).revision
        let results = Mutex<[StoreError.Problem?]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { number in
          do {
            try Self.change(kind, store, session, revision, number)
            results.withLock { $0.append(nil) }
          } catch {
            results.withLock { $0.append((error as? StoreError)?.problem ?? .invalid("\(error)")) }
          }
        }
        let all = results.withLock { $0 }
        #expect(all.count { $0 == nil } == 1)
        #expect(all.count { $0 == .changed(expected: revision, current: revision + 1) } == 3)
      }
    }
  }

  @Test func correctionIsLabelledAndUndone() throws {
    try withStore([StoreFixture.segment(0, "take the pawn", alternatives: ["bake the pawn"])]) {
      store, session throws in
      let corrected = try store.correct(1..<2, to: "that old", of: 0, in: session)
      #expect(corrected.text == "take that old pawn")
      #expect(corrected.words.map(\.text) == ["take", "that", "old", "pawn"])
      #expect(corrected.words.map(\.confidence) == [0.7, nil, nil, 0.7])
      #expect(corrected.defect == nil)
      #expect(corrected.words[1].start == 1.0 / 3)
      #expect(abs(corrected.words[2].end - 2.0 / 3) < 1e-9)
      #expect(corrected.isCorrected)
      #expect(corrected.correctedWords == [1, 2])
      #expect(corrected.selection.rule == "correction")
      #expect(try store.revisions(of: 0, in: session).last?.author == .person)
      #expect(try store.search("old").count == 1)
      #expect(try store.transcript(of: session).text == "take that old pawn")
      #expect(try store.transcript(of: session, withoutCorrections: true).text == "take the pawn")
      #expect(try store.restore(0, of: 0, in: session).text == "take the pawn")
      #expect(try store.segment(0, in: session).isCorrected == false)
      #expect(try store.search("old").isEmpty)
    }
  }

  @Test func correctionThatTheRecognizerOfferedIsAChoice() throws {
    try withStore([StoreFixture.segment(0, "take the pawn", alternatives: ["bake the pawn"])]) {
      store, session throws in
      let chosen = try store.correct(0..<1, to: "bake", of: 0, in: session)
      #expect(chosen.selection == .init(index: 1, rule: "user"))
      #expect(!chosen.isCorrected)
      // A choice after a correction leaves no candidate of a person.
      try store.correct(0..<1, to: "fake", of: 0, in: session)
      let again = try store.choose(0, of: 0, in: session)
      #expect(again.text == "take the pawn")
      #expect(again.candidates.map(\.text) == ["take the pawn", "bake the pawn"])
      #expect(again.selection == .recognizer)
    }
  }

  @Test(
    arguments: [
      ("take the pawn", "bake a prawn", "that", "rook", "bake that pawn", "bake that rook"),
      ("Take the pawn.", "Bake a prawn?", "that", "rook.", "Bake that pawn.", "Bake that rook."),
      ("nimm den bauern", "nehmt dem bau", "einen", "turm", "nehmt einen bauern", "nehmt einen turm"),
      ("возьми эту пешку", "вози ту пушку", "мою", "ладью", "вози мою пешку", "вози мою ладью"),
    ])
  func wordOfAPersonKeepsItsLabelBesideAnAlternative(
    text: String, other: String, first: String, last: String, composed: String, corrected: String
  ) throws {
    try withStore([StoreFixture.segment(0, text, alternatives: [other])]) { store, session throws in
      let written = try store.correct(1..<2, to: first, of: 0, in: session)
      let alternative = try #require(written.wordAlternatives[0].first)
      let chosen = try store.choose(alternative, of: 0, in: session)
      #expect(chosen.text == composed)
      #expect(chosen.isCorrected)
      #expect(chosen.correctedWords.contains(1))
      #expect(chosen.selection.rule == "correction")
      #expect(chosen.candidates.map(\.text) == [text, other, composed])
      #expect(chosen.words.map(\.confidence) == [0.7, nil, 0.7])
      let again = try store.correct(2..<3, to: last, of: 0, in: session)
      #expect(again.text == corrected)
      #expect(again.candidates.map(\.text) == [text, other, corrected])
      #expect(try store.audit().problems == [])
    }
  }

  /// The index of what a person composed was that of a correction before.
  @Test(
    arguments: [
      ("take the pawn", "bake a prawn"), ("Take the pawn.", "Bake a prawn?"),
      ("nimm den bauern", "nehmt dem bau"), ("возьми эту пешку", "вози ту пушку"),
    ])
  func candidateThatIsChosenIsTheOneThatIsStored(text: String, other: String) throws {
    try withStore([StoreFixture.segment(0, text, alternatives: [other])]) { store, session throws in
      let segment = try store.segment(0, in: session)
      #expect(try store.correct(1..<2, to: "x", of: 0, in: session).selection.index == 2)
      let composed = segment.composed(with: try #require(segment.wordAlternatives[0].first))
      try store.revise(
        0, in: session, candidates: segment.candidates + [composed], selection: .recognizer, reason: "test",
        author: .person)
      let chosen = try store.choose(2, of: 0, in: session)
      #expect(chosen.text == composed.text)
      #expect(try store.audit().problems == [])
    }
  }

  /// Whatever is chosen, restored or decoded again after a correction, the labels are right.
  @Test func correctionKeepsItsLabelWhenItIsChosenOrRestored() throws {
    try withStore([StoreFixture.segment(0, "take the pawn", alternatives: ["bake the pawn"])]) {
      store, session throws in
      try store.correct(1..<2, to: "that", of: 0, in: session)
      #expect(try store.choose(2, of: 0, in: session).selection == .init(index: 2, rule: "correction"))
      try store.choose(1, of: 0, in: session)
      #expect(try store.restore(1, of: 0, in: session).isCorrected)
      #expect(try store.audit().problems == [])
      #expect(try store.audit().corrections == 3)
    }
  }

  @Test func newDecodingKeepsACorrectionAndIsBelowIt() throws {
    let segments = [StoreFixture.segment(0, "take the pawn"), StoreFixture.segment(1, "and the rook")]
    try withStore(segments) { store, session throws in
      try store.correct(1..<2, to: "that", of: 0, in: session)
      var again = StoreFixture.segment(0, "rake the lawn")
      again.end = 8
      let (changed, kept) = try store.apply(
        [.revise(0, again)], reason: "test", [], to: try store.session(matching: session), spellings: nil)
      #expect(changed.isEmpty)
      #expect(kept.map(\.text) == ["take that pawn"])
      #expect(kept.map(\.isCorrected) == [true])
      #expect(try store.transcript(of: session).text == "take that pawn and the rook")
      let recognized = try store.transcript(of: session, withoutCorrections: true).segments
      #expect(recognized.map(\.text) == ["rake the lawn", "and the rook"])
      #expect(recognized.map(\.isCorrected) == [false, false])
      // The new decoding is longer than what was corrected, and begins before the next segment ends.
      #expect(recognized.map(\.start) == [0, 8])
      #expect(try store.audit().problems == [])
    }
  }

  @Test func confirmedWordIsNotUnsureAnyMore() throws {
    try withStore([StoreFixture.segment(0, "take the pawn")]) { store, session throws in
      #expect(
        try store.unsureWords(of: session, below: 0.8).words.map(\.place.words) == [0..<1, 1..<2, 2..<3])
      #expect(try store.unsureWords(of: session, below: 0.7).words.isEmpty)
      let confirmed = try store.correct(1..<2, to: "the", of: 0, in: session)
      #expect(confirmed.text == "take the pawn")
      #expect(confirmed.correctedWords.isEmpty)
      #expect(try store.unsureWords(of: session, below: 0.8).words.map(\.place.words) == [0..<1, 2..<3])
      #expect(try store.revisions(of: 0, in: session).last?.reason == "confirmed by the user")
    }
  }

  @Test func correctionIsMadeEverywhere() throws {
    let segments = ["take the Pawn", "the pawn, the pawn", "pawns"].enumerated()
      .map { StoreFixture.segment($0, $1) }
    try withStore(segments) { store, session throws in
      func places(_ text: String) throws -> [TranscriptStore.WordPlace] {
        try store.textPlaces(of: text, in: session).places.map(\.wordPlace)
      }
      #expect(try places("pawn").map(\.segment) == [0, 1, 1])
      #expect(try places("the pawn").map(\.words) == [1..<3, 0..<2, 2..<4])
      #expect(try places(" ").isEmpty)
      #expect(try store.replaceAll("the pawn", with: "a rook here", in: session).map(\.segment) == [0, 1])
      #expect(
        try store.transcript(of: session).segments.map(\.text)
          == ["take a rook here", "a rook here, a rook here", "pawns"])
      #expect(try store.audit().problems == [])
      #expect(try store.audit().corrections == 3)
    }
  }

  /// The words that only an overlapping place would have stay.
  @Test func placesOfRepeatedWordsDoNotOverlap() throws {
    try withStore([StoreFixture.segment(0, "echo echo echo tail")]) { store, session throws in
      let places = try store.textPlaces(of: "echo echo", in: session).places
      #expect(places.map(\.match.words) == [0..<2])
      try store.replaceAll("echo echo", with: "reply", in: session)
      #expect(try store.transcript(of: session).text == "reply echo tail")
    }
  }

  @Test func correctionThatFailsInOnePlaceIsMadeNowhere() throws {
    let segments = ["the pawn", "take the pawn"].enumerated().map { StoreFixture.segment($0, $1) }
    try withStore(segments) { store, session throws in
      // The second segment could lose these words; the first one would have none left.
      #expect(throws: StoreError.self) { try store.replaceAll("the pawn", with: "", in: session) }
      #expect(try store.transcript(of: session).segments.map(\.text) == ["the pawn", "take the pawn"])
      #expect(try store.audit().corrections == 0)
    }
  }

  @Test(
    arguments: [(0, 0, "x"), (-1, 1, "x"), (2, 4, "x"), (0, 3, " "), (0, 1, "a\nb")] as [(Int, Int, String)])
  func impossibleCorrectionChangesNothing(_ first: Int, _ end: Int, _ text: String) throws {
    try withStore([StoreFixture.segment(0, "take the pawn")]) { store, session throws in
      #expect(throws: StoreError.self) { _ = try store.correct(first..<end, to: text, of: 0, in: session) }
      #expect(try store.segment(0, in: session).revision == 0)
    }
  }

  @Test func wordIsRemoved() throws {
    try withStore([StoreFixture.segment(0, "take the pawn")]) { store, session throws in
      #expect(try store.correct(2..<3, to: "", of: 0, in: session).text == "take the")
      #expect(try store.correct(0..<1, to: "", of: 0, in: session).text == "the")
    }
  }

  /// The negative control: what a person wrote, without one of its labels.
  @Test(
    arguments: [
      "UPDATE revision SET rule = 'recognizer' WHERE revision = 1",
      "UPDATE revision SET author = 'recognizer' WHERE revision = 1",
      "UPDATE revision SET rule = 'correction' WHERE revision = 0",
    ] as [StaticString])
  func auditFindsCorrectionWithoutLabel(_ change: StaticString) throws {
    try withStore([StoreFixture.segment(0, "take the pawn")]) { store, session throws in
      try store.correct(1..<2, to: "that", of: 0, in: session)
      #expect(try store.audit().problems == [])
      try store.write { try $0.execute(change) }
      #expect(try store.audit().problems.count == 1)
    }
  }

  @Test func wordsOfALibraryAreKeptAsAVocabulary() throws {
    try Folder.temporary { folder throws in
      let words = LibraryWords(folder)
      #expect(words.texts.isEmpty)
      try words.add("Winawer", recognized: "when our")
      try words.add("Winawer", recognized: "win a war")
      try words.add("Kimura")
      #expect(words.texts == ["Winawer", "Kimura"])
      let read = try Vocabulary(contentsOf: words.file)
      #expect(read.corrections.map(\.recognized) == ["when our", "win a war"])
      #expect(throws: StoreError.self) { try words.add(" ") }
      try words.remove(["Winawer"])
      #expect(words.texts == ["Kimura"])
      #expect(try words.vocabulary().corrections.isEmpty)
    }
  }

  /// The words for every recording are those of one file in the folder of the library, not of each file of its name.
  @Test func vocabularyMayHaveTheNameOfTheFileOfAllWords() throws {
    try Folder.temporary { folder throws in
      let vocabularies = VocabularyFolder(of: folder)
      try vocabularies.words.add("Hart")
      for name in ["vocabulary", "library words", "词汇", "словарь"] {
        let words = try vocabularies.words(named: name)
        #expect(words.name == name)
        try words.add("Winawer")
        #expect(try Vocabulary(contentsOf: words.file).name == name)
        // A file that was written under another name is named as its file.
        var other = try words.vocabulary()
        other.name = "library"
        try LibraryWords.contents(of: other).write(to: words.file)
        #expect(try words.vocabulary().name == name)
      }
      #expect(vocabularies.words.name == "library")
      #expect(try vocabularies.words.vocabulary().name == "library")
      #expect(vocabularies.words.texts == ["Hart"])
    }
  }

  /// A letter with its mark can be one character or two, which look the same.
  @Test(arguments: ["Grünfeld", "Каспаров Й", "がくせい", "chess"])
  func vocabularyIsFoundHoweverItsNameIsWritten(_ name: String) throws {
    let forms = [name.precomposedStringWithCanonicalMapping, name.decomposedStringWithCanonicalMapping]
    for (stored, typed) in [(forms[0], forms[1]), (forms[1], forms[0])] {
      try Folder.temporary { folder throws in
        let file = folder.appendingPathComponent("vocabularies")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        try Data("{name: 'x', terms: [{text: 'Benoni'}]}".utf8).write(
          to: file.appendingPathComponent("\(stored).json5"))
        let vocabularies = VocabularyFolder(of: folder)
        #expect(try vocabularies.words(named: typed).texts == ["Benoni"])
        try vocabularies.words(named: typed).add("Winawer")
        #expect(try vocabularies.words(named: stored).texts == ["Benoni", "Winawer"])
        #expect(vocabularies.names.count == 1)
        try vocabularies.words(named: typed).erase()
        #expect(vocabularies.names.isEmpty)
        // A new one has the usual form.
        try vocabularies.words(named: typed).add("Winawer")
        #expect(vocabularies.names.map { Array($0.utf8) } == [Array(forms[0].utf8)])
      }
    }
  }

  @Test func rowsAreAddedOnceAndAFileBecomesANewVocabulary() throws {
    try Folder.temporary { folder throws in
      let vocabularies = VocabularyFolder(of: folder)
      let words = try vocabularies.words(named: "Chess")
      try words.add([VocabularyRow(term: "Winawer", replaces: ["when our"]), VocabularyRow(term: "Benoni")])
      try words.add([VocabularyRow(term: " Winawer "), VocabularyRow(term: "Kimura")])
      #expect(words.texts == ["Winawer", "Benoni", "Kimura"])
      #expect(try words.vocabulary().corrections.map(\.recognized) == ["when our"])
      #expect(throws: StoreError.self) { try words.add([VocabularyRow(term: "123")]) }
      var file = Vocabulary(name: "another name")
      file.terms = [.init(text: "Benoni")]
      file.phrases = [.init(text: "the Benoni")]
      #expect(throws: StoreError.self) { try words.create(file) }
      #expect(words.texts == ["Winawer", "Benoni", "Kimura"])
      let made = try vocabularies.words(named: "Openings").create(file)
      #expect(made.name == "Openings")
      #expect(made.phrases == file.phrases)
      #expect(vocabularies.names == ["Chess", "Openings"])
      #expect(vocabularies.allNames == ["Chess", "Openings"])
      try vocabularies.words.add("Hart")
      #expect(vocabularies.allNames == ["library", "Chess", "Openings"])
      #expect(try vocabularies.words(named: "library").texts == ["Hart"])
    }
  }

  /// A correction of one word, of a phrase, by an alternative, by an edit of the paragraph, and one that was taken back.
  @Test func correctedWordsAreListedWithWhatWasRecognized() throws {
    let segments = [
      StoreFixture.segment(0, "play the when our variation"),
      StoreFixture.segment(1, "take night f3", alternatives: ["take knight f3"]),
      StoreFixture.segment(2, "so the albumen counter, gamble"), StoreFixture.segment(3, "left as it is"),
      StoreFixture.segment(4, "confirmed as it is"), StoreFixture.segment(5, "one two"),
      StoreFixture.segment(6, "first part here grunfelt after it"),
    ]
    try withStore(segments) { store, session throws in
      #expect(try store.correctedWords(of: session).isEmpty)
      try store.correct(2..<4, to: "Winawer", of: 0, in: session)
      try store.choose(1, of: 1, in: session)
      try store.edit([2], to: ["So the Albin counter gambit."], in: session)
      try store.correct(0..<1, to: "right", of: 3, in: session)
      try store.undo(in: session)
      try store.correct(0..<1, to: "confirmed", of: 4, in: session)
      try store.correct(0..<1, to: "one added", of: 5, in: session)
      var ended = try store.session(matching: session)
      ended.state = .complete
      try store.update(ended)
      try store.edit([6], to: ["First part here.", "Grünfeld after it."], in: session)
      let found = try store.correctedWords(of: session)
      #expect(
        found.map { "\($0.recognized)>\($0.text)" } == [
          "when our>Winawer", "night>knight", "albumen>Albin", "gamble>gambit", ">added",
          "grunfelt>Grünfeld",
        ])
      #expect(Set(found.map(\.session)) == [session])
      let other = StoreFixture.session()
      try store.begin(other)
      try store.append([StoreFixture.segment(0, "a win hour")], to: other.id)
      try store.correct(1..<3, to: "Winawer,", of: 0, in: other.id)
      #expect(try store.correctedWords(of: other.id).map(\.text) == ["Winawer"])
      #expect(try store.correctedWords().count { $0.text == "Winawer" } == 2)
    }
  }
}
