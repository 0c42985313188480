import Foundation
import StoreAuditing
import TestSupport
import Testing

@testable import LonghandArchive
@testable import LonghandTranscripts

/// Edits of whole paragraphs, and the way back.
@Suite struct EditingTests {
  private func withStore(
    _ segments: [Segment], _ body: (TranscriptStore, String) throws -> Void
  ) throws {
    try StoreFixture.temporary { store in
      var session = StoreFixture.session()
      session.state = .complete
      try store.begin(session)
      try store.append(segments, to: session.id)
      try body(store, session.id)
    }
  }

  private func words(_ segment: Segment) -> [String] {
    segment.words.map { "\($0.text) \(Int(($0.start * 30).rounded()))-\(Int(($0.end * 30).rounded()))" }
  }

  /// Times are in thirtieths of a second; each word takes ten.
  @Test(
    arguments: [
      ("Take the black pawn now.", ["Take the black pawn now."], nil),
      (
        "Take the black pawn now.", ["Take the white pawn now."],
        "Take 0-10|the 10-20|white 20-30|pawn 30-40|now. 40-50"
      ),
      (
        "Take the black pawn now.", ["Take the big black pawn now."],
        "Take 0-10|the 10-20|big 20-24|black 24-30|pawn 30-40|now. 40-50"
      ),
      ("Take the black pawn now.", ["Take winawers now."], "Take 0-10|winawers 10-40|now. 40-50"),
      (
        "Take the winawer now.", ["Take the win a were now."],
        "Take 0-10|the 10-20|win 20-24|a 24-25|were 25-30|now. 30-40"
      ),
      ("Read the fox jumped.", ["The focks jumped high."], "The 10-20|focks 20-30|jumped 30-35|high. 35-40"),
      ("Take that.", [], ""),
    ] as [(String, [String], String?)])
  func newWordsShareTheTimeOfThoseThatTheyReplace(text: String, paragraphs: [String], expected: String?)
    throws
  {
    try withStore([StoreFixture.segment(0, text), StoreFixture.segment(1, "Other.")]) { store, id throws in
      let change = try store.edit([0], to: paragraphs, in: id, ifRevisions: [0])
      #expect((change == nil) == (expected == nil))
      let segment = try store.segment(0, in: id)
      if let expected { #expect(words(segment).joined(separator: "|") == expected) }
      #expect(segment.text == paragraphs.joined())
      #expect(segment.recognizedCandidates.map(\.text) == [text])
      #expect(try store.audit().problems == [])
      try store.undo(in: id)
      #expect(try store.segment(0, in: id).text == text)
    }
  }

  @Test func paragraphEndDividesASegmentWithItsAlternatives() throws {
    let first = StoreFixture.segment(
      0, "Take the black pawn now.", alternatives: ["Bake the black porn now."])
    try withStore([first, StoreFixture.segment(1, "Other.")]) { store, id throws in
      let change = try store.edit([0], to: ["Take the", "black pawn now."], in: id)
      #expect(change == TranscriptStore.TextChange(segments: [0, 2], segmentCount: 3))
      let all = try store.transcript(of: id).segments
      #expect(all.map(\.text) == ["Take the", "black pawn now.", "Other."])
      #expect(all.map(\.id) == [0, 2, 1])
      #expect(all[0].candidates.map(\.text) == ["Take the", "Bake the", "Take the"])
      #expect(all[1].candidates.map(\.text) == ["black pawn now.", "black porn now.", "black pawn now."])
      #expect(all[1].correctedWords == [])
      #expect(all[1].words.map(\.confidence) == [0.7, 0.7, 0.7])
      #expect([all[0].start, all[0].end, all[1].start, all[1].end] == [0, 2.0 / 3, 2.0 / 3, 5])
      #expect(try store.paragraphStarts(of: id, in: 0..<3) == [0, 2])
      #expect(
        Paragraph.all(of: try store.transcript(of: id)).map(\.text) == ["Take the", "black pawn now. Other."])
      // Nothing of the recognizer's is lost.
      #expect(
        try store.transcript(of: id, withoutCorrections: true).segments.map(\.text) == [first.text, "Other."])
      try store.edit([0, 2], to: ["Take the black pawn now."], in: id)
      #expect(try store.paragraphStarts(of: id, in: 0..<3) == [0])
      while try store.undo(in: id) != nil {}
      #expect(try store.transcript(of: id).segments.map(\.text) == [first.text, "", "Other."])
      #expect(try store.segment(0, in: id).candidates == first.candidates)
      while try store.redo(in: id) != nil {}
      #expect(try store.transcript(of: id).segments.map(\.text) == all.map(\.text))
    }
  }

  @Test func paragraphsAreJoinedOverALongPause() throws {
    var segments = [StoreFixture.segment(0, "One two."), StoreFixture.segment(1, "Three.")]
    segments[1].start = 6
    segments[0].end = 1
    try withStore(segments) { store, id throws in
      #expect(try store.paragraphStarts(of: id, in: 0..<2) == [0, 1])
      let change = try store.edit([0, 1], to: ["One two. Three."], in: id)
      #expect(change?.segments == [1])
      #expect(try store.paragraphStarts(of: id, in: 0..<2) == [0])
      #expect(Paragraph.all(of: try store.transcript(of: id)).map(\.text) == ["One two. Three."])
    }
  }

  /// After 40 words a paragraph ends at the next pause, but not where a person sees it go on.
  @Test(arguments: [19, 1]) func paragraphsStayAsTheyAreWithMoreOrFewerWords(count: Int) throws {
    let text = Array(repeating: "so", count: 11).joined(separator: " ") + "."
    let segments = (0..<5).map { id in
      var segment = StoreFixture.segment(id, text)
      segment.end -= 1
      return segment
    }
    try withStore(segments) { store, id throws in
      #expect(try store.paragraphStarts(of: id, in: 0..<5) == [0, 4])
      let first = Array(repeating: "other", count: count)
      try store.edit([0, 1, 2, 3], to: [(first + [text, text, text]).joined(separator: " ")], in: id)
      #expect(try store.paragraphStarts(of: id, in: 0..<5) == [0, 4])
      let texts = Paragraph.all(of: try store.transcript(of: id)).map(\.text)
      #expect(texts.map { $0.split(separator: " ").count } == [33 + count, 11])
      try store.undo(in: id)
      #expect(try store.transcript(of: id).segments.map(\.text) == segments.map(\.text))
      #expect(try store.segment(4, in: id).paragraph == nil)
    }
  }

  @Test func editOfWhatWasChangedMeanwhileIsRefused() throws {
    try withStore([StoreFixture.segment(0, "One."), StoreFixture.segment(1, "Two.")]) { store, id throws in
      try store.correct(0..<1, to: "Won.", of: 0, in: id)
      expect(.changed(expected: 0, current: 1)) {
        try store.edit([0, 1], to: ["Text."], in: id, ifRevisions: [0, 0])
      }
      expect(.noSegment(2)) { try store.edit([1, 2], to: ["Text."], in: id) }
      expect(.separated([1, 0])) { try store.edit([1, 0], to: ["Text."], in: id) }
      for (ids, revisions) in [([], []), ([0, 0], [1, 1]), ([0], [1, 0])] as [([Int], [Int])] {
        #expect(throws: StoreError.self) {
          try store.edit(ids, to: ["Text."], in: id, ifRevisions: revisions)
        }
      }
      // What changes nothing is no step.
      try store.undo(in: id)
      #expect(try store.edit([0], to: ["One."], in: id) == nil)
      #expect(try store.redo(in: id)?.segments == [0])
    }
  }

  /// Also where a word is shown with another capital than it was written with.
  @Test(
    arguments: [
      ["Take the black pawn now."], ["Take the", "black pawn now. Other. last."], ["take", "it", "now"],
      ["öffnet take the black pawn. a", "b"], [],
    ])
  func editThatIsMadeAgainChangesNothing(paragraphs: [String]) throws {
    let segments = ["Take the black pawn now.", "Other.", "Last."].enumerated()
      .map { StoreFixture.segment($0, $1) }
    try withStore(segments) { store, id throws in
      let change = try store.edit([0, 1], to: paragraphs, in: id, ifRevisions: [0, 0])
      #expect(change != nil)
      let now = try store.transcript(of: id).segments
      #expect(try store.edit([0, 1], to: paragraphs, in: id, ifRevisions: [0, 0]) == nil)
      #expect(try store.transcript(of: id).segments == now)
      // Without its division it is another edit.
      expect(.changed(expected: 0, current: 1)) {
        try store.edit(
          [0, 1], to: [(paragraphs + ["more"]).joined(separator: " ")], in: id, ifRevisions: [0, 0])
      }
      try store.undo(in: id)
      let texts = try store.transcript(of: id).segments.map(\.text)
      #expect(texts.filter { !$0.isEmpty } == segments.map(\.text))
    }
  }

  /// With a new end of a sentence, words that the recognizer wrote are shown in another way than they were sent.
  @Test func editThatIsMadeAgainIsNoOtherWhereMarksAreOthers() throws {
    let text = "so they take it and we go with the black pawn and take queen they said home"
    var segments = [StoreFixture.segment(0, text), StoreFixture.segment(1, "were said so")]
    segments[0].end = 17 / 3
    try withStore(segments) { store, id throws in
      func shown() throws -> String {
        try store.shownSegments(of: id, from: 0, limit: 2).map(\.written.text).joined(separator: " ")
      }
      let sent = try shown().replacingOccurrences(of: " queen", with: " you. queen")
      try store.edit([0, 1], to: [sent], in: id, ifRevisions: [0, 0])
      let now = try store.transcript(of: id).segments
      #expect(try shown() != sent)
      #expect(try store.edit([0, 1], to: [sent], in: id, ifRevisions: [0, 0]) == nil)
      // A comma in what was written is another edit, as another word is.
      for other in [sent.replacingOccurrences(of: " queen", with: " queen,"), sent + " more"] {
        expect(.changed(expected: 0, current: 1)) {
          try store.edit([0, 1], to: [other], in: id, ifRevisions: [0, 0])
        }
      }
      #expect(try store.transcript(of: id).segments == now)
    }
  }

  /// A segment whose words are those of its writing.
  private static func segment(inWritingOf text: String) -> Segment {
    let letters = text.filter { !$0.isWhitespace }.enumerated().map {
      Word(text: String($1), start: Double($0) / 8, end: Double($0 + 1) / 8, confidence: 0.7)
    }
    var segment = Segment(
      id: 0, start: 0, end: 5, candidates: [Candidate(text: text, words: letters, confidence: 0.7)])
    segment.writeWords()
    return segment
  }

  @Test(
    arguments: [
      ("扎自己的脚。", "扎自己 的脚。"), ("扎自己 的脚。", "扎自己的脚。"),
      ("วันนี้อากาศดีเราไปกัน", "วันนี้อากาศดี เราไปกัน"), ("วันนี้อากาศดี เราไปกัน", "วันนี้อากาศดีเราไปกัน"),
      ("ខ្ញុំទៅផ្សារ គាត់នៅផ្ទះ", "ខ្ញុំទៅផ្សារគាត់នៅផ្ទះ"),
    ])
  func spaceInWritingWithoutSpacesIsAnEdit(before: String, after: String) throws {
    try withStore([Self.segment(inWritingOf: before)]) { store, id throws in
      let shown = try store.shownSegments(of: id, from: 0, limit: 1).map(\.written.text)
      #expect(try store.edit([0], to: shown, in: id, ifRevisions: [0]) == nil)
      #expect(try store.edit([0], to: [after], in: id, ifRevisions: [0])?.segments == [0])
      let edited = try store.segment(0, in: id)
      #expect(edited.text == after)
      #expect(edited.recognizedCandidates.map(\.text) == [before])
      // The answer was lost.
      #expect(try store.edit([0], to: [after], in: id, ifRevisions: [0]) == nil)
      try store.undo(in: id)
      #expect(try store.segment(0, in: id).text == before)
    }
  }

  @Test func moreSpacesBetweenWordsAreNoEdit() throws {
    try withStore([StoreFixture.segment(0, "Take the black pawn now.")]) { store, id throws in
      #expect(try store.edit([0], to: ["Take  the black\u{A0}pawn now. "], in: id) == nil)
      #expect(try store.segment(0, in: id).revision == 0)
    }
  }

  /// Words that a person writes in place of others keep their spaces.
  @Test(arguments: [("扎自己的脚", "炸 自己"), ("วันนี้อากาศดี", "ที่นี่ วันนี้"), ("Take the pawn", "Bake a")])
  func correctionKeepsItsSpaces(_ text: String, _ new: String) throws {
    let segment =
      text.contains(" ") ? StoreFixture.segment(0, text) : Self.segment(inWritingOf: text)
    let candidate = try #require(
      segment.replacing(0..<2, with: new.split(separator: " ").map(String.init)))
    #expect(candidate.text.hasPrefix(new))
    #expect(candidate.words.count == segment.words.count)
  }

  @Test(
    arguments: [
      "One two three four.", "one two three four", "Eins zwei, drei vier.", "раз два три четыре",
    ])
  func earlierVersionOfADividedSegmentHasItsWordsOnce(text: String) throws {
    let first = StoreFixture.segment(0, text)
    try withStore([first, StoreFixture.segment(1, "Other.")]) { store, id throws in
      func texts() throws -> [String] { try store.transcript(of: id).segments.map(\.text) }
      let shown = try #require(try store.shownSegments(of: id, [0]).first).written.text
      let words = shown.split(separator: " ").map(String.init)
      try store.edit([0], to: ["\(words[0]) \(words[1])", "\(words[2]) \(words[3])"], in: id)
      try store.edit([2], to: [words[2], words[3]], in: id)
      let divided = try texts()
      #expect(divided.count == 4)
      #expect(divided.contains("") == false)
      let restored = try store.restore(0, of: 0, in: id)
      #expect(restored.text == text)
      #expect(restored.range == first.range)
      #expect(try texts() == [text, "", "", "Other."])
      #expect(try store.audit().problems == [])
      // One step back brings all parts back.
      try store.undo(in: id)
      #expect(try texts() == divided)
      try store.redo(in: id)
      #expect(try texts() == [text, "", "", "Other."])
    }
  }

  /// One edit changes a segment and divides the one after it.
  @Test func earlierVersionTakesNoWordsFromWhatWasDividedOffAnotherSegment() throws {
    let segments = [StoreFixture.segment(0, "One two."), StoreFixture.segment(1, "Three four five.")]
    try withStore(segments) { store, id throws in
      func texts() throws -> [String] { try store.transcript(of: id).segments.map(\.text) }
      try store.edit([0, 1], to: ["Won two.", "Three", "four five."], in: id)
      #expect(try texts() == ["Won two.", "Three", "four five."])
      try store.restore(0, of: 0, in: id)
      #expect(try texts() == ["One two.", "Three", "four five."])
      try store.restore(0, of: 1, in: id)
      #expect(try texts() == ["One two.", "Three four five.", ""])
    }
  }

  @Test func runningSessionIsNotDivided() throws {
    try StoreFixture.temporary { store in
      let id = try store.add(["one two"])
      #expect(throws: StoreError.self) { try store.edit([0], to: ["One", "two."], in: id) }
      #expect(try store.edit([0], to: ["One too."], in: id) != nil)
      #expect(throws: StoreError.self) { try store.edit([0], to: ["a\nb"], in: id) }
    }
  }

  // MARK: Random edits

  /// Sequences of edits, divisions, joins, corrections, steps back and forward: 300 of 50 in the long form.
  @Test(arguments: 0..<(isSoak ? 10 : 1) as Range<UInt64>)
  func randomEditsLeadBackToTheFirstText(seed: UInt64) throws {
    for sequence in 0..<(isSoak ? 30 : 4) as Range<UInt64> {
      var random = SeededGenerator(seed: seed * 1000 + sequence)
      try withStore(Self.talk(&random)) { store, id throws in
        try store.setCoverage(Self.coverage(of: try store.transcript(of: id).segments), from: 0, of: id)
        let coverage = try store.coverageSpans(of: id)
        let (first, text) = (try Self.shown(store, id), try Self.exported(store, id))
        for step in 0..<(isSoak ? 50 : 25) {
          try Self.change(store, id, &random)
          if step % 5 == 0 { try check(store, id, "\(seed) \(sequence) \(step)") }
        }
        let last = try Self.shown(store, id)
        var steps = 0
        while try store.undo(in: id) != nil { steps += 1 }
        try check(store, id, "\(seed) \(sequence) undone")
        #expect(try Self.shown(store, id) == first)
        #expect(try Self.exported(store, id) == text)
        #expect(try store.coverageSpans(of: id) == coverage, "\(seed) \(sequence)")
        for _ in 0..<steps { #expect(try store.redo(in: id) != nil) }
        #expect(try Self.shown(store, id) == last)
        try check(store, id, "\(seed) \(sequence) redone")
      }
    }
  }

  private func check(_ store: TranscriptStore, _ id: String, _ what: String) throws {
    #expect(try store.audit().problems == [], "\(what)")
    let segments = try store.transcript(of: id).segments
    #expect(segments.map(\.id).sorted() == Array(segments.indices), "\(what)")
    #expect(segments.allSatisfy { $0.defect == nil }, "\(what)")
    for segment in segments {
      #expect(segment.words.allSatisfy { segment.start <= $0.start && $0.end <= segment.end }, "\(what)")
    }
    let spoken = segments.filter { !$0.text.isEmpty }
    for (one, next) in zip(spoken, spoken.dropFirst()) { #expect(one.end <= next.start, "\(what)") }
    let spans = try store.coverageSpans(of: id, after: 0)
    #expect(spans.first?.start == 0, "\(what)")
    #expect(spans.last?.end == 100, "\(what)")
    for (one, next) in zip(spans, spans.dropFirst()) { #expect(one.end == next.start, "\(what)") }
    let written = try store.shownSegments(of: id, from: 0, limit: .max >> 1)
    #expect(written.map(\.written) == (try store.transcript(of: id)).writtenInSentences().segments, "\(what)")
  }

  /// Speech where the segments are, and silence elsewhere in 100 s.
  private static func coverage(of segments: [Segment]) -> [CoverageSpan] {
    var spans: [CoverageSpan] = []
    for segment in segments where segment.end > segment.start {
      let end = spans.last?.end ?? 0
      if segment.start > end { spans.append(CoverageSpan(start: end, end: segment.start, kind: .silent)) }
      spans.append(CoverageSpan(start: segment.start, end: segment.end, kind: .transcribed))
    }
    return spans + [CoverageSpan(start: spans.last?.end ?? 0, end: 100, kind: .silent)]
  }

  private struct Shown: Equatable {
    var text: String
    var words: [Word]
    var range: ClosedRange<Double>
    var candidates: [Candidate]
  }

  private static func shown(_ store: TranscriptStore, _ id: String) throws -> [Shown] {
    try store.transcript(of: id).segments.filter { !$0.text.isEmpty }.map {
      Shown(text: $0.text, words: $0.words, range: $0.range, candidates: $0.candidates)
    }
  }

  private static func exported(_ store: TranscriptStore, _ id: String) throws -> String {
    TranscriptFormatter(format: .txt, marksWordless: true).string(for: try store.transcript(of: id))
  }

  private static func change(
    _ store: TranscriptStore, _ id: String, _ random: inout SeededGenerator
  ) throws {
    let all = try store.shownSegments(of: id, from: 0, limit: .max >> 1).map(\.written)
    let place = Int.random(in: all.indices, using: &random)
    let segment = all[place]
    var tokens = segment.text.split(separator: " ").map(String.init)
    let position = Int.random(in: 0...tokens.count, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: try store.undo(in: id)
    case 2: try store.redo(in: id)
    case 3 where !segment.words.isEmpty:
      try store.correct(0..<1, to: word(&random), of: segment.id, in: id)
    case 4:
      try store.choose(Int.random(in: segment.candidates.indices, using: &random), of: segment.id, in: id)
    case 5 where tokens.count > 1, 6 where tokens.count > 1:
      // Enter
      try store.edit(
        [segment.id],
        to: [tokens[..<position], tokens[position...]].map { $0.joined(separator: " ") }, in: id)
    case 7 where place > 0:
      // Backspace at the beginning
      try store.edit(
        [all[place - 1].id, segment.id], to: [all[place - 1].text + " " + segment.text], in: id)
    case 8:
      let range = position..<min(tokens.count, position + Int.random(in: 0...4, using: &random))
      tokens.replaceSubrange(
        range, with: (0..<Int.random(in: 0...4, using: &random)).map { _ in word(&random) })
      try store.edit([segment.id], to: [tokens.joined(separator: " ")], in: id)
    default:
      let end = min(all.count, place + 3)
      let texts = all[place..<end].map(\.text).filter { !$0.isEmpty }
      try store.edit(
        all[place..<end].map(\.id), to: Bool.random(using: &random) ? texts : [texts.joined(separator: " ")],
        in: id)
    }
  }

  private static func word(_ random: inout SeededGenerator) -> String {
    ["Winawer", "won", "a", "to", "Sicilian,", "you.", "öffnet", "?", "two"].randomElement(using: &random)
      ?? ""
  }

  private static func talk(_ random: inout SeededGenerator) -> [Segment] {
    var position = 0.0
    let isMarked = Bool.random(using: &random)
    return (0..<Int.random(in: 1...9, using: &random)).map { id in
      position += [0, 0.3, 2, 5].randomElement(using: &random) ?? 0
      var words: [Word] = []
      for index in 0..<Int.random(in: 1...9, using: &random) {
        let start = position
        position += Double(Int.random(in: 0...20, using: &random)) * 0.02
        let text = ["take", "the", "pawn", "now", "to", "sicilian"].randomElement(using: &random) ?? ""
        words.append(
          Word(
            text: isMarked && index == 0 ? text.capitalized + "," : text, start: start, end: position,
            confidence: 0.5))
      }
      var other = words
      other[0].text = "bake"
      let candidates = [words, other].map {
        Candidate(text: $0.map(\.text).joined(separator: " "), words: $0, confidence: 0.5)
      }
      return Segment(id: id, start: words[0].start, end: position, candidates: candidates)
    }
  }
}
