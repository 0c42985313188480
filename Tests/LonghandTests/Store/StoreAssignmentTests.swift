import Foundation
import Longhand
import StoreAuditing
import Testing

@testable import LonghandArchive
@testable import LonghandTranscripts

/// A person says who speaks in a segment, or in words of it, and what only followed the label moves too.
@Suite struct StoreAssignmentTests {
  /// Segments and their labels in short. `a7` is a word of the voice a with a probability of 0.7, `?` one of an unknown speaker,
  /// `_` a pause of two seconds, and `/` begins another segment. A word begins every second, and lasts 0.8 s.
  private struct Talk {
    var segments: [Segment] = []
    var turns: [SpeakerTurn] = []

    init(_ text: String) {
      var time = 0.0
      for (id, part) in text.split(separator: "/").enumerated() {
        var words: [Word] = []
        for item in part.split(separator: " ") {
          if item == "_" {
            time += 2
            continue
          }
          words.append(Word(text: "w\(Int(time))", start: time, end: time + 0.8, confidence: 0.9))
          if let tenths = item.last?.wholeNumberValue {
            turns.append(
              SpeakerTurn(
                start: time, end: time + 0.8, speaker: String(item.prefix(1)), confidence: Double(tenths) / 10
              ))
          }
          time += 1
        }
        segments.append(
          Segment(
            id: id, start: words.first?.start ?? time, end: words.last?.end ?? time,
            candidates: [
              Candidate(text: words.map(\.text).joined(separator: " "), words: words, confidence: 0.9)
            ]))
      }
    }
  }

  /// A session with a talk, and the speakers' IDs by their letters.
  private func with(
    _ text: String, _ body: (TranscriptStore, String, [String: String]) throws -> Void
  ) throws {
    try StoreFixture.temporary { store in
      let talk = Talk(text)
      var session = StoreFixture.session()
      (session.state, session.duration) = (.complete, 60)
      try store.begin(session)
      try store.append(talk.segments, to: session.id)
      let ids = try store.changeSpeakers(of: session.id) { speakers, _ in speakers.setTurns(talk.turns) }
      try body(store, session.id, ids)
    }
  }

  @discardableResult private func assign(
    _ id: Int, _ words: Range<Int>? = nil, to name: String, _ store: TranscriptStore, _ session: String
  ) throws -> SessionSpeakers.Assignment {
    let segment = try store.segment(id, in: session)
    return try store.changeSpeakers(of: session, ifCurrent: [segment]) { speakers, segments in
      try speakers.assign(segment, words: words, to: name, among: segments())
    }
  }

  /// The labels of all words, as `Talk` writes them without the probabilities.
  private func labels(_ store: TranscriptStore, _ session: String, _ ids: [String: String]) throws -> String {
    let letters = Dictionary(uniqueKeysWithValues: ids.map { ($1, $0) })
    return try store.transcript(of: session).segments.map { segment in
      segment.words.map { word in word.speaker.map { letters[$0] ?? "new" } ?? "?" }.joined(separator: " ")
    }.joined(separator: " / ")
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var talk: String
    /// What a person said before.
    var earlier: [(Int, String)] = []
    var segment: Int
    var words: Range<Int>?
    var speaker: String
    var expected: String
    var moved: String?

    init(
      _ name: String, _ talk: String, earlier: [(Int, String)] = [], _ segment: Int,
      _ words: Range<Int>? = nil,
      to speaker: String, _ expected: String, _ moved: String? = nil
    ) {
      (testDescription, self.talk, self.earlier) = (name, talk, earlier)
      (self.segment, self.words, self.speaker) = (segment, words, speaker)
      (self.expected, self.moved) = (expected, moved)
    }
  }

  static let cases = [
    Case(
      "unsure turns after it follow", "b9 / a7 a7 / a7 / a7 a7 / a9", 1, to: "b", "b / b b / b / b b / a",
      "and 2 turns after it"),
    Case(
      "unsure turns before it follow", "a9 / a7 / a7 a7 / a7 / b9", 3, to: "b", "a / b / b b / b / b",
      "and 2 turns before it"),
    Case("a sure neighbour stays", "a7 / a9 a9 / b9", 0, to: "b", "b / a a / b"),
    Case("a sure word is not crossed", "a7 / a9 / a7 / b9", 0, to: "b", "b / a / a / b"),
    Case("another label is not crossed", "a7 / b7 / a7", 0, to: "c", "new / b / a"),
    Case("what a person said stays", "a7 / a7 / a7 / b9", earlier: [(1, "a")], 0, to: "b", "b / a / a / b"),
    Case("a pause is not crossed", "a7 / _ a7 / b9", 0, to: "b", "b / a / b"),
    Case(
      "a pause in the segment is not crossed", "a7 a7 _ a7 a7 / b9", 0, 0..<1, to: "b", "b b a a / b",
      "and 1 turn after it"),
    Case("the right label moves nothing", "a7 / a7 / b9", 0, to: "a", "a / a / b"),
    Case(
      "unknown words do not follow unknown ones", "? ? ? / ? ? ? / a9 / b9", 0, to: "a",
      "a a a / ? ? ? / a / b"),
    Case("unknown words do not follow an unsure label", "a7 / ? ? ? / b9", 0, to: "b", "b / ? ? ? / b"),
    Case(
      "words of a segment, and of the next", "a9 a9 b7 b7 / b7 / b9", 0, 2..<4, to: "a", "a a a a / a / b",
      "and 1 turn after it"),
    Case(
      "words on both sides in the segment", "a7 a7 a7 / b9", 0, 1..<2, to: "b", "b b b / b",
      "and 1 turn before it and 1 turn after it"),
    Case("words of a segment of a sure speaker", "a9 a9 a9 / b9", 0, 1..<2, to: "b", "a b a / b"),
    Case("a new name", "a7 a7 / a7 / b9", 0, to: "Carl", "new new / new / b", "and 1 turn after it"),
  ]

  @Test(arguments: cases) func assignmentMovesWhatOnlyFollowed(_ one: Case) throws {
    try with(one.talk) { store, session, ids in
      for (id, name) in one.earlier { try assign(id, to: ids[name] ?? name, store, session) }
      let (before, known) = (try labels(store, session, ids), try store.speakers(of: session))
      let texts = try store.transcript(of: session).segments.map(\.withoutSpeakers)
      let assignment = try assign(one.segment, one.words, to: ids[one.speaker] ?? one.speaker, store, session)
      #expect(try labels(store, session, ids) == one.expected)
      #expect(assignment.moved == one.moved)
      #expect(try store.transcript(of: session).segments.map(\.withoutSpeakers) == texts)
      // What was assigned and what moved is not asked about again.
      let asked = Set(assignment.replaced.segments)
      if one.words == nil {
        #expect(try store.unsureWords(of: session).turns.allSatisfy { !asked.contains($0.segment) })
      }
      // Whoever is found by the voice next, it stays.
      let after = try store.speakers(of: session)
      let isMoved = zip(before.split(separator: " "), one.expected.split(separator: " ")).map { $0 != $1 }
      try store.changeSpeakers(of: session) { $0.setTurns([SpeakerTurn(start: 0, end: 60, speaker: "x")]) }
      let again = try labels(store, session, ids).split(separator: " ")
      for (index, label) in one.expected.split(separator: " ").enumerated() where isMoved[index] {
        #expect(again[index] == label)
      }
      // One step takes all of it back.
      try store.changeSpeakers(of: session) { speakers in
        speakers = after
        try speakers.restore(assignment.replaced)
      }
      #expect(try labels(store, session, ids) == before)
      #expect(try store.speakers(of: session) == known)
      #expect(try store.audit().problems == [])
    }
  }

  @Test func assignmentToAnotherRevisionChangesNothing() throws {
    try with("a7 a7 / a7 / b9") { store, session, ids in
      let before = (try labels(store, session, ids), try store.speakersRevision(of: session))
      let segment = try store.segment(0, in: session)
      try store.correct(0..<1, to: "other", of: 0, in: session)
      #expect(throws: StoreError.self) {
        try store.changeSpeakers(of: session, ifCurrent: [segment]) { speakers, segments in
          try speakers.assign(segment, words: 0..<1, to: "Ben", among: segments())
        }
      }
      #expect(try labels(store, session, ids) == before.0)
      #expect(try store.speakersRevision(of: session) == before.1)
    }
  }

  /// The words get other texts and other segments, and the time stays.
  @Test func assignedWordsKeepTheirSpeakerInEditedText() throws {
    try with("a9 a9 a9 a9 / b9") { store, session, ids in
      try assign(0, 1..<3, to: ids["b"] ?? "", store, session)
      try store.correct(1..<2, to: "other", of: 0, in: session)
      #expect(try labels(store, session, ids) == "a b b a / b")
      try store.edit([0], to: ["w0 other", "w2 w3"], in: session)
      #expect(try labels(store, session, ids) == "a b / b a / b")
      let again = try TranscriptStore(at: store.folder)
      #expect(try labels(again, session, ids) == "a b / b a / b")
      let rttm = TranscriptFormatter(format: .rttm).string(for: try store.transcript(of: session))
      #expect(
        rttm.split(separator: "\n").map { $0.split(separator: " ")[7] } == [
          "Speaker_1", "Speaker_2", "Speaker_1", "Speaker_2",
        ])
    }
  }

  /// Then the words are in other segments.
  @Test func assignedWordsKeepTheirSpeakerInANewDecoding() throws {
    try with("a9 a9 a9 a9 / b9") { store, session, ids in
      try assign(0, 1..<3, to: ids["b"] ?? "", store, session)
      let segments = try store.transcript(of: session).segments.map(\.withoutSpeakers)
      let edits = segments.enumerated().flatMap { index, segment in
        var (empty, new) = (segment, segment)
        empty.candidates[0] = Candidate(text: "", words: [], confidence: nil)
        new.id = 2 + index
        return [SegmentEdit.revise(segment.id, empty), .insert(after: 1, new)]
      }
      _ = try store.apply(edits, reason: "test", [], to: try store.session(matching: session), spellings: nil)
      #expect(try labels(store, session, ids).hasSuffix("a b b a / b"))
      #expect(try store.audit().problems == [])
    }
  }

  /// The whole segment, or other words of it, are assigned later.
  @Test func laterAssignmentWins() throws {
    try with("a9 a9 a9 a9 / b9") { store, session, ids in
      try assign(0, 0..<3, to: "Carl", store, session)
      try assign(0, 1..<2, to: ids["b"] ?? "", store, session)
      #expect(try labels(store, session, ids) == "new b new a / b")
      try assign(0, to: ids["b"] ?? "", store, session)
      #expect(try labels(store, session, ids) == "b b b b / b")
      #expect(try store.speakers(of: session).parts == [])
      try assign(0, 0..<1, to: ids["a"] ?? "", store, session)
      #expect(try labels(store, session, ids) == "a b b b / b")
    }
  }

  /// What a person is asked about.
  @Test(arguments: [
    ("a9 a7 a7 a9 / b9", ["0 1..<3 a"]),
    ("a7 a7 b7 / b9", ["0 0..<2 a", "0 2..<3 b"]),
    ("a7 _ a7 / b9", ["0 0..<1 a", "0 1..<2 a"]),
    // Readers see one or two unknown words as those beside them.
    ("a9 ? a9 / b9", []), ("a7 ? a7 / b9", ["0 0..<3 a"]), ("a9 ? ? ? / b9", ["0 1..<4 ?"]),
    // With one voice, what is unknown is not a question.
    ("a9 ? ? ? / a9", []), ("a7 / a9", ["0 0..<1 a"]), ("a9 / b9", []),
  ]) func unsureTurnsAreFound(talk: String, expected: [String]) throws {
    try with(talk) { store, session, ids in
      let letters = Dictionary(uniqueKeysWithValues: ids.map { ($1, $0) })
      let found = try store.unsureWords(of: session).turns.map { run in
        "\(run.segment) \(run.words) \(run.speaker.map { letters[$0] ?? "new" } ?? "?")"
      }
      #expect(found == expected)
    }
  }

  /// Where no voices were separated, a person who names some turns is not asked about all others.
  @Test func namesWithoutVoicesAskNothing() throws {
    try with("? ? ? / ? ? ? / ? ? ?") { store, session, _ in
      try assign(0, to: "Anna", store, session)
      try assign(1, to: "Ben", store, session)
      #expect(try store.unsureWords(of: session).turns.isEmpty)
      #expect(try labels(store, session, [:]) == "new new new / new new new / ? ? ?")
    }
  }
}
