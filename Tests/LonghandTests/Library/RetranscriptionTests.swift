import Foundation
import Longhand
import StoreAuditing
import TestSupport
import Testing

@testable import LonghandArchive
@testable import LonghandTranscription

/// What a new decoding makes of a transcript.
@Suite struct RetranscriptionTests {
  /// Segments as the accumulator commits them, each with an alternative.
  private static func decoded(_ parts: (text: String, start: Double, end: Double)...) -> [Segment] {
    var accumulator = TranscriptAccumulator()
    return parts.compactMap { part in
      guard
        case .final(let start, let end, let candidates, _) = ScriptedEngine.final(
          part.text, part.start, part.end)
      else { return nil }
      var other = candidates[0]
      other.text += "?"
      other.words[other.words.count - 1].text += "?"
      return accumulator.receive(.final(start: start, end: end, candidates: candidates + [other]))
    }
  }

  private struct Fixture {
    let library: Library
    let session: RecordedSession
    var store: TranscriptStore { library.store }
    var segments: [Segment] { get throws { try store.transcript(of: session.id).segments } }

    init(_ segments: [Segment], in folder: URL) throws {
      library = try Library(at: folder)
      var session = StoreFixture.session()
      session.state = .complete
      self.session = session
      try store.begin(session)
      let known = segments.map { ($0.range, CoverageSpan.Kind.transcribed, "") }
      try store.commit(segments, CoverageSpan.all(of: 60, known), from: 0, to: session.id)
    }

    @discardableResult func revise(by recognized: [Segment]) async throws -> Library.Retranscription {
      let known: [CoverageSpan.Stretch] =
        [(50...55, .wordless, "speech without words"), (58...60, .gap, "device")]
        + recognized.map { ($0.range, .transcribed, "") }
      return try await library.revise(
        session, by: recognized, known, duration: 60, CandidateReranker(policy: .disabled))
    }

    /// Divides a segment in its middle.
    /// - Returns: false if it has not more than one word.
    @discardableResult func divide(_ segment: Int) throws -> Bool {
      let shown = try #require(try store.shownSegments(of: session.id, [segment]).first)
      let words = shown.written.text.split(separator: " ").map(String.init)
      guard words.count > 1 else { return false }
      let halves = [words.prefix(words.count / 2), words.dropFirst(words.count / 2)]
      let texts = halves.map { $0.joined(separator: " ") }
      #expect(try store.edit([segment], to: texts, in: session.id) != nil)
      return true
    }

    /// Every word lies inside its segment, segments do not overlap, and the transcribed seconds are those of the segments.
    func check(_ comment: Comment) throws {
      let transcript = try store.transcript(of: session.id)
      #expect(transcript.segments.map(\.id).sorted() == Array(transcript.segments.indices), comment)
      var end = 0.0
      for segment in transcript.segments {
        #expect(segment.end >= segment.start, comment)
        // Without words it says nothing of any time.
        guard !segment.text.isEmpty else { continue }
        #expect(segment.start >= end, comment)
        end = segment.end
        var position = segment.start
        for word in segment.words {
          #expect(word.start >= position, comment)
          #expect(word.end >= word.start, comment)
          position = word.end
        }
        #expect(position <= segment.end, comment)
      }
      let gaps = transcript.spans.filter { $0.kind == .gap }
      let spoken = transcript.segments.filter { !$0.text.isEmpty }.flatMap { $0.range.parts(outside: gaps) }
      let covered = transcript.spans.filter { $0.kind == .transcribed }.map { $0.start...$0.end }
      #expect(Self.joined(spoken) == covered, comment)
      #expect(transcript.spans.tile(60), comment)
      for format in TranscriptFormat.allCases {
        let document = TranscriptFormatter(format: format, layout: .segments, wordTimestamps: true)
          .string(for: transcript)
        for row in try TimedRows(document, format).rows {
          let isInside = transcript.segments.contains {
            Milliseconds(seconds: $0.start).count <= row.start
              && row.end <= Milliseconds(seconds: $0.end).count
          }
          #expect(isInside, "\(comment) \(format) \(row)")
          #expect(row.start <= row.end, comment)
        }
      }
      #expect(try store.audit().problems == [], comment)
    }

    private static func joined(_ ranges: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
      ranges.filter { $0.upperBound > $0.lowerBound }.reduce(into: []) { all, range in
        if let last = all.last, last.upperBound == range.lowerBound {
          all[all.count - 1] = last.lowerBound...range.upperBound
        } else {
          all.append(range)
        }
      }
    }
  }

  private func with(_ segments: [Segment], _ body: (Fixture) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("revised-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(try Fixture(segments, in: folder))
  }

  @Test func newWordsGetASegmentWhereTheyWereSaid() async throws {
    let body = Self.decoded(("this little work", 9, 20), ("neither", 27, 28))
    try await with(body) { fixture in
      let new = Self.decoded(
        ("northanger abbey", 5.5, 6.8), ("this little word", 8.9, 20), ("neither", 27, 28), ("end", 40, 41))
      let result = try await fixture.revise(by: new)
      #expect(try fixture.segments.map(\.range) == new.map(\.range))
      #expect(try fixture.segments.map(\.text) == new.map(\.text))
      #expect(try fixture.segments.map(\.revision) == [0, 1, 0, 0])
      #expect(result.changed.map(\.id) == [2, 0, 3])
      // The segment keeps its ID, with its versions and the alternatives.
      #expect(
        try fixture.store.revisions(of: 0, in: fixture.session.id).map(\.segment.text).first == body[0].text)
      #expect(try fixture.segments[1].candidates.count == 2)
      #expect(try fixture.store.search("neither").map(\.segment) == [1])
      #expect(try fixture.store.search("work").isEmpty)
      try fixture.check("new words")
      // The same again changes nothing.
      let again = try await fixture.revise(by: new)
      #expect(again.changed.isEmpty)
    }
  }

  @Test func segmentWithoutWordsInTheNewDecodingIsKeptAsAVersion() async throws {
    try await with(Self.decoded(("one two", 1, 3), ("three", 5, 6))) { fixture in
      try await fixture.revise(by: Self.decoded(("three", 5, 6)))
      #expect(try fixture.store.transcript(of: fixture.session.id).text == "three")
      try fixture.check("emptied")
      let restored = try fixture.store.restore(0, of: 0, in: fixture.session.id)
      #expect(restored.text == "one two")
      #expect(restored.range == 1...3)
      try fixture.check("restored")
    }
  }

  @Test func choiceOfAPersonStaysAndTheNewDecodingCanBeTaken() async throws {
    try await with(Self.decoded(("one two", 1, 3), ("three", 5, 6))) { fixture in
      let (store, id) = (fixture.store, fixture.session.id)
      let chosen = try store.choose(1, of: 0, in: id)
      // The same decoding again is no news.
      let same = try await fixture.revise(by: Self.decoded(("one two", 1, 3), ("three", 5, 6)))
      #expect(same == .init(changed: [], kept: []))
      let result = try await fixture.revise(by: Self.decoded(("won too", 1, 3), ("tree", 5, 6)))
      #expect(result.changed.map(\.text) == ["tree"])
      #expect(result.kept.map(\.text) == [chosen.text])
      #expect(try store.transcript(of: id).text == "\(chosen.text) tree")
      let revisions = try store.revisions(of: 0, in: id)
      #expect(revisions.map(\.segment.text) == ["one two", chosen.text, "won too", chosen.text])
      #expect(revisions.map(\.author) == [.recognizer, .person, .recognizer, .person])
      #expect(revisions.map(\.reason).suffix(2) == ["transcribed again", "kept instead of revision 2"])
      try fixture.check("kept")
      let taken = try store.restore(2, of: 0, in: id)
      #expect(taken.text == "won too")
      #expect(taken.revision == 4)
      #expect(try store.revisions(of: 0, in: id).last?.reason == "revision 2 restored by the user")
      // What a person took is a choice too.
      try await fixture.revise(by: Self.decoded(("one two", 1, 3), ("tree", 5, 6)))
      #expect(try store.transcript(of: id).text == "won too tree")
      expect(.noSegment(0)) { try store.restore(99, of: 0, in: id) }
    }
  }

  @Test(
    arguments: [
      ("one two three", "won too three"), ("One, two. Three", "One. Two, three"),
      ("eins zwei drei", "eins zwo drei"), ("раз два три", "рад два три"),
    ]) func undoneCorrectionLeavesTheNewDecoding(text: String, new: String) async throws
  {
    try await with(Self.decoded((text, 0, 3), ("end", 5, 6))) { fixture in
      let (store, id) = (fixture.store, fixture.session.id)
      let corrected = try store.correct(1..<2, to: "x", of: 0, in: id).text
      let recognized = Self.decoded((new, 0, 3.2), ("end", 5, 6))
      #expect(try await fixture.revise(by: recognized).kept.map(\.text) == [corrected])
      try store.undo(in: id)
      #expect(try fixture.segments.map(\.text) == [new, "end"])
      #expect(try fixture.segments[0].range == 0...3.2)
      #expect(try store.revisions(of: 0, in: id).last?.author == .recognizer)
      try fixture.check("undone")
      try store.redo(in: id)
      #expect(try fixture.segments.map(\.text) == [corrected, "end"])
      try store.undo(in: id)
      #expect(try fixture.segments.map(\.text) == [new, "end"])
      let again = try await fixture.revise(by: recognized)
      #expect(again == .init(changed: [], kept: []))
    }
  }

  /// The new decoding of a divided segment is only that of its part.
  @Test func undoneCorrectionAndDivisionLeaveAllWords() async throws {
    let text = "one two three four"
    try await with(Self.decoded((text, 0, 4), ("end", 6, 7))) { fixture in
      let (store, id) = (fixture.store, fixture.session.id)
      try store.correct(0..<1, to: "x", of: 0, in: id)
      try fixture.divide(0)
      try await fixture.revise(by: Self.decoded(("won too three for", 0, 4), ("end", 6, 7)))
      try store.undo(in: id)
      #expect(try store.transcript(of: id).text == "x two three four end")
      try store.undo(in: id)
      #expect(try store.transcript(of: id).text == "\(text) end")
    }
  }

  @Test func stoppedDecodingLeavesTheSpeakers() async throws {
    try await with(Self.decoded(("one two", 1, 3))) { fixture in
      let (store, id) = (fixture.store, fixture.session.id)
      let decode = { @Sendable in
        try await fixture.library.revise(
          fixture.session, by: Self.decoded(("won too", 1, 3)), [], duration: 60,
          CandidateReranker(policy: .disabled)
        ) { number, database in
          try store.changeSpeakers(of: number, in: database) { $0.addChannels(2) }
        }
      }
      let stopped = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await decode()
      }
      stopped.cancel()
      await #expect(throws: CancellationError.self) { _ = try await stopped.value }
      #expect(try store.speakers(of: id).isEmpty)
      #expect(try fixture.segments.map(\.text) == ["one two"])
      _ = try await decode()
      #expect(try store.speakers(of: id).named.count == 2)
      // The same transaction fails late.
      #expect(throws: StoreError.self) {
        _ = try store.apply(
          [.revise(99, fixture.segments[0])], reason: "test", [], to: fixture.session, spellings: nil
        ) { number, database in
          try store.changeSpeakers(of: number, in: database) { $0.addChannels(3) }
        }
      }
      #expect(try store.speakers(of: id).named.count == 2)
    }
  }

  /// A person returns to the recognizer's first choice: that is a choice too.
  @Test func undoneChoiceStays() async throws {
    try await with(Self.decoded(("one two", 1, 3))) { fixture in
      try fixture.store.choose(1, of: 0, in: fixture.session.id)
      try fixture.store.choose(0, of: 0, in: fixture.session.id)
      let result = try await fixture.revise(by: Self.decoded(("won too", 1, 3)))
      #expect(result.kept.map(\.text) == ["one two"])
      #expect(try fixture.segments.map(\.text) == ["one two"])
    }
  }

  @Test(
    arguments: [
      ("one two three four five six", "won too three for five sicks"),
      ("One two, three. Four five six.", "One too, three! For five six."),
      ("eins zwei drei vier fünf sechs", "eins zwo drei vier fünf sechs"),
      ("раз два три четыре пять шесть", "раз, два, три, четыре, пять, шесть"),
    ]) func newWordsGoToNoSegmentOfAnUndoneDivision(text: String, new: String) async throws
  {
    try await with(Self.decoded((text, 0, 6), ("end", 8, 9))) { fixture in
      try fixture.divide(0)
      try fixture.store.undo(in: fixture.session.id)
      #expect(try fixture.segments.map(\.text) == [text, "", "end"])
      let recognized = Self.decoded((new, 0, 6.5), ("end", 8, 9), ("more", 20, 21))
      let result = try await fixture.revise(by: recognized)
      #expect(try fixture.segments.map(\.text) == [new, "", "end", "more"])
      #expect(result.changed.map(\.text) == [new, "more"])
      #expect(result.kept == [])
      #expect(try fixture.segments.map(\.start) == [0, 6.5, 8, 20])
      try fixture.check("divided, undone and transcribed again")
      let plain = try fixture.store.transcript(of: fixture.session.id, withoutCorrections: true)
      #expect(plain.segments.map(\.text).filter { !$0.isEmpty } == [new, "end", "more"])
      let again = try await fixture.revise(by: recognized)
      #expect(again == .init(changed: [], kept: []))
      // The division can still be made again.
      try fixture.store.redo(in: fixture.session.id)
      #expect(try fixture.segments.map(\.text.isEmpty) == [false, false, false, false])
    }
  }

  @Test(arguments: 0..<(isSoak ? 200 : 2) as Range<UInt64>) func anyDecodingLeavesWordsInsideTheirSegments(
    seed: UInt64
  )
    async throws
  {
    var random = SeededGenerator(seed: seed)
    try await with(Self.random(&random)) { fixture in
      let (store, id) = (fixture.store, fixture.session.id)
      try fixture.check("first")
      for round in 0..<3 {
        for segment in try fixture.segments where Int.random(in: 0..<6, using: &random) == 0 {
          if try fixture.divide(segment.id) { try store.undo(in: id) }
        }
        try fixture.check("round \(round), divided and undone")
        var own: [String] = []
        for segment in try fixture.segments where Int.random(in: 0..<4, using: &random) == 0 {
          own.append(try store.choose(segment.candidates.count - 1, of: segment.id, in: id).text)
        }
        let recognized = Self.random(&random)
        try await fixture.revise(by: recognized)
        try fixture.check("round \(round), revised")
        let texts = try fixture.segments.map(\.text)
        #expect(own.allSatisfy { texts.contains($0) })
        let again = try await fixture.revise(by: recognized)
        #expect(again == .init(changed: [], kept: []), "round \(round)")
        for segment in try fixture.segments where Int.random(in: 0..<4, using: &random) == 0 {
          let versions = try store.revisions(of: segment.id, in: id)
          // What was divided off has the words of another segment.
          guard versions.first?.author == .recognizer else { continue }
          let wanted = try #require(versions.randomElement(using: &random))
          let restored = try store.restore(wanted.segment.revision, of: segment.id, in: id)
          #expect(restored.text == wanted.segment.text)
        }
        try fixture.check("round \(round), restored")
      }
    }
  }

  /// Speech at times on a grid of 20 ms. Some finals overlap, some have a longer alternative, and some select it.
  private static func random(_ random: inout SeededGenerator) -> [Segment] {
    var accumulator = TranscriptAccumulator()
    var segments: [Segment] = []
    var position = 0.0
    while position < 56 {
      position += Double(Int.random(in: -2...150, using: &random)) * 0.02
      let start = max(0, position)
      let words = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        position = max(position, start) + Double(Int.random(in: 0...20, using: &random)) * 0.02
        let begin = position
        position += Double(Int.random(in: 5...40, using: &random)) * 0.02
        return Word(text: "w\(Int(begin * 50))", start: begin, end: position, confidence: 0.5)
      }
      var other = words
      other[0].start = max(0, other[0].start - 0.02)
      other[other.count - 1].end += 0.02
      other[0].text += "x"
      let candidates = [words, other].map {
        Candidate(text: $0.map(\.text).joined(separator: " "), words: $0)
      }
      let selection = Segment.Selection(index: Int.random(in: 0...1, using: &random), rule: "context")
      let event = TranscriptionEvent.final(
        start: words[0].start, end: words[words.count - 1].end, candidates: candidates, selection: selection)
      if let segment = accumulator.receive(event) { segments.append(segment) }
    }
    return segments.filter { $0.end <= 60 }
  }
}
