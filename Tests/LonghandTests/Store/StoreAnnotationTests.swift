import Foundation
import Longhand
import Testing

@Suite struct StoreAnnotationTests {
  /// The list shows sessions by these names.
  @Test func sessionIsFoundByTheNameOfItsFile() throws {
    try StoreFixture.temporary { store throws in
      func add(_ source: String) throws -> String {
        var session = StoreFixture.session(start: 0)
        session.source = source
        return try store.add(["one"], session)
      }
      let talk = try add("My talk.take 2.mp3")
      for name in ["My talk.take 2.mp3", "My talk.take 2"] {
        #expect(try store.session(matching: name).id == talk)
      }
      for name in ["My talk", "My talk.", "%", "My talk_take 2.mp3", "talk.take 2.mp3"] {
        #expect(throws: StoreError.self) { try store.session(matching: name) }
      }
      // A name that a person gave comes first, and takes the place of the file's.
      let other = try add("b.wav")
      try store.annotate(other, .init(name: "My talk.take 2"))
      #expect(try store.session(matching: "My talk.take 2").id == other)
      #expect(throws: StoreError.self) { try store.session(matching: "b.wav") }
      // An ID never begins so.
      _ = try add("talk.wav")
      _ = try add("talk.mp3")
      #expect(throws: StoreError.self) { try store.session(matching: "talk") }
    }
  }

  @Test func notesAndTagsAreKeptAndRemoved() throws {
    try StoreFixture.temporary { store throws in
      let session = try store.add(["one"])
      try store.annotate(session, .init(name: "Talk", note: "About\nmuch", tags: ["b", " a ", "b"]))
      var known = try store.session(matching: session)
      #expect(known.name == "Talk")
      #expect(known.note == "About\nmuch")
      #expect(known.tags == ["b", "a"])
      // The work on a session, which knows nothing of them, keeps them.
      known.state = .complete
      try store.update(known)
      try store.annotate(session, .init(note: ""))
      #expect(try store.session(matching: session).name == "Talk")
      #expect(try store.session(matching: "Talk").id == session)
      #expect(try store.session(matching: session).note == nil)
      #expect(try store.session(matching: session).tags == ["b", "a"])
      try store.annotate(session, .init(name: "", tags: []))
      #expect(try store.session(matching: session).name == nil)
      #expect(try store.session(matching: session).tags == nil)
    }
  }

  /// Two who read the same tags change them: the tags before, those that the second one wants, and the result.
  @Test(
    arguments: [
      (["a"], ["a", "c"], ["a", "c", "b"]), (["a"], [], ["b"]), (["a"], ["a"], ["a", "b"]),
      (["a"], [" c ", "a"], ["c", "a", "b"]), (["a", "gone"], ["a", "gone", "音"], ["a", "音", "b"]),
      ([], ["b"], ["b", "a"]), (nil, ["c"], ["c"]),
    ] as [([String]?, [String], [String])])
  func tagsThatOthersChangedStay(_ before: [String]?, _ wanted: [String], _ expected: [String]) throws {
    try StoreFixture.temporary { store throws in
      let session = try store.add(["one"])
      try store.annotate(session, .init(tags: ["a", "b"]))
      try store.annotate(session, .init(tags: wanted, tagsBefore: before))
      #expect(try store.session(matching: session).tags ?? [] == expected)
    }
  }

  @Test func tagsOfTwoTogetherAreNotTooMany() throws {
    try StoreFixture.temporary { store throws in
      let session = try store.add(["one"])
      let most = (0..<TranscriptStore.maxTags).map { "\($0)" }
      try store.annotate(session, .init(tags: most))
      let change = SessionAnnotation(name: "Talk", tags: ["other"], tagsBefore: [])
      #expect(throws: StoreError.self) { try store.annotate(session, change) }
      #expect(try store.session(matching: session).tags == most)
      #expect(try store.session(matching: session).name == nil)
    }
  }

  @Test(arguments: [
    SessionAnnotation(tags: ["a,b"]), SessionAnnotation(tags: [""]), SessionAnnotation(tags: ["a\nb"]),
    SessionAnnotation(tags: (0...TranscriptStore.maxTags).map { "\($0)" }),
    SessionAnnotation(note: String(repeating: "x", count: TranscriptStore.maxNoteLength + 1)),
    SessionAnnotation(name: "last", note: "kept out"),
  ])
  func annotationThatCannotBeUsedChangesNothing(_ annotation: SessionAnnotation) throws {
    try StoreFixture.temporary { store throws in
      let session = try store.add(["one"])
      #expect(throws: StoreError.self) { try store.annotate(session, annotation) }
      #expect(try store.session(matching: session).note == nil)
      #expect(try store.session(matching: session).tags == nil)
    }
  }

  @Test func listsAndSearchesAreFiltered() throws {
    try StoreFixture.temporary { store throws in
      let sessions = try ["one word", "two words", "三個詞"].map { try store.add([$0]) }
      try store.annotate(sessions[1], .init(tags: ["x"]))
      try store.annotate(sessions[2], .init(tags: ["x", "y"]))
      #expect(try store.sessions(of: .init(tag: "x")).map(\.id).sorted() == sessions[1...].sorted())
      #expect(try store.sessions(of: .init(tag: "none")).isEmpty)
      #expect(try store.sessions(of: .init(since: .distantFuture)).isEmpty)
      #expect(try store.sessions(of: .init(since: Date(timeIntervalSince1970: 0))).count == 3)
      #expect(try store.search("wor", of: .init(tag: "x")).map(\.session) == [sessions[1]])
      #expect(try store.search("wor", of: .init(session: sessions[0])).map(\.session) == [sessions[0]])
      #expect(try store.search("詞", of: .init(tag: "y")).map(\.session) == [sessions[2]])
      #expect(try store.search("詞", of: .init(session: sessions[0])).isEmpty)
      #expect(try store.excerpt(of: sessions[0]) == "one word")
    }
  }

  /// Nothing that a person wrote is left after an erasure.
  @Test func erasureRemovesWhatAPersonWrote() throws {
    try StoreFixture.temporary { store throws in
      let session = try store.add(["one"])
      try store.annotate(session, .init(name: "Zyxname", note: "Zyxnote", tags: ["Zyxtag"]))
      try store.erase(session)
      let bytes = try Data(contentsOf: store.file)
      for text in ["Zyxname", "Zyxnote", "Zyxtag"] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
      }
    }
  }
}
