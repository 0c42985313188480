import Foundation
import Testing

@testable import Longhand

@Suite struct TranscriptAccumulatorTests {
  private typealias Event = TranscriptionEvent

  /// Words of equal length from `start` to `end`.
  private static func candidate(_ text: String, _ start: Double, _ end: Double) -> Candidate {
    let words = text.split(separator: " ")
    let length = (end - start) / Double(max(1, words.count))
    return Candidate(
      text: text,
      words: words.enumerated().map { index, word in
        let begin = start + Double(index) * length
        return Word(text: String(word), start: begin, end: begin + length, confidence: 0.5)
      }, confidence: 0.5)
  }

  private static func final(_ start: Double, _ end: Double, _ texts: String...) -> Event {
    .final(start: start, end: end, candidates: texts.map { candidate($0, start, end) })
  }

  private static func partial(_ start: Double, _ end: Double, _ text: String) -> Event {
    .partial(.init(start: start, end: end, text: text))
  }

  private func texts(_ events: Event...) -> [String] {
    var accumulator = TranscriptAccumulator()
    return events.compactMap { accumulator.receive($0)?.text }
  }

  @Test func repeatedFinalIsCommittedOnce() {
    #expect(texts(Self.final(0, 2, "a b"), Self.final(0, 2, "a b")) == ["a b"])
    #expect(texts(Self.final(0, 2, "a b"), Self.final(0.1, 2.5, "a b")) == ["a b"])
    #expect(texts(Self.final(0, 2, "a b"), Self.final(0.5, 1.5, "what else")) == ["a b"])
    #expect(texts(Self.final(0, 2, "a b"), Self.final(0, 2, "a c")) == ["a b"])
  }

  /// A sentence of two seconds that a recognizer sends again, later by a part of its length.
  @Test(arguments: [100.0, 60, 40, 20, 0])
  func repeatedSentenceIsCommittedOnceWhereItsTimesAgree(overlap: Double) {
    let sentence = "then share your transcript"
    let shift = 2 * (1 - overlap / 100)
    let found = texts(Self.final(0, 2, sentence), Self.final(shift, 2 + shift, sentence))
    // Where most of the times agree it is the same sentence. Else words at times of their own were said again.
    switch overlap {
    case 60...: #expect(found == [sentence])
    case 0: #expect(found == [sentence, sentence])
    default: #expect(found.first == sentence)
    }
  }

  /// The sentence before ends after three seconds. Without room it is left out; where that is in doubt, it is labelled.
  @Test(
    arguments: [
      // Another person may say it quickly.
      (3.0, 5.0, "we play the bishop", ["we play the bishop"], nil), (3.4, 4.3, "", [""], nil),
      (3.1, 3.7, "We play the bishop.", ["We play the bishop."], true),
      (3.1, 3.4, "We play the bishop.", [], false), (2.6, 3.4, "", [], false), (3.1, 3.1, "", [], false),
      // Other words, fewer words, and what is said later.
      (3.1, 3.4, "we play the knight", ["we play the knight"], nil), (3.6, 3.9, "", [""], nil),
      (3.1, 3.2, "the bishop", ["the bishop"], nil),
    ] as [(Double, Double, String, [String], Bool?)])
  func repeatedSentenceIsLeftOutOnlyWithoutRoom(
    _ start: Double, _ end: Double, _ text: String, _ kept: [String], _ hasRoom: Bool?
  ) {
    let first = "we play the bishop"
    var builder = TranscriptBuilder()
    #expect(builder.receive(Self.final(0, 3, first))?.text == first)
    let segment = builder.receive(Self.final(start, end, text.isEmpty ? first : text))
    #expect([segment?.text].compactMap(\.self) == kept.map { $0.isEmpty ? first : $0 })
    let message = builder.warnings.first { $0.code == .repetition }?.message
    #expect(message.map { $0.contains("Both were kept") } == hasRoom)
  }

  @Test func wordsSaidTwiceAreCommittedTwice() {
    #expect(texts(Self.final(0, 2, "yes"), Self.final(2, 4, "yes")) == ["yes", "yes"])
    #expect(texts(Self.final(0, 2, "no no"), Self.final(2.5, 4, "no no")) == ["no no", "no no"])
    // A seam: the last word of the first is the first word of the second, by its time.
    #expect(texts(Self.final(0, 4, "go go go go"), Self.final(3, 6, "go go go")) == ["go go go go", "go go"])
  }

  @Test func overlappingWordsAreCutByTheirTimes() throws {
    var accumulator = TranscriptAccumulator()
    _ = accumulator.receive(Self.final(0, 4, "one two three four"))
    let alternatives = [
      Candidate(text: "without times", words: [], confidence: 0.1), Self.candidate("for fife sex", 3, 6),
      Self.candidate("four", 3, 4), Self.candidate("four five six", 3, 6),
    ]
    let cut = accumulator.receive(
      .final(start: 3, end: 6, candidates: alternatives, selection: .init(index: 3, rule: "context")))
    let segment = try #require(cut)
    #expect(segment.id == 1)
    #expect(segment.start == 4)
    #expect(segment.end == 6)
    #expect(segment.candidates.map(\.text) == ["fife sex", "five six"])
    #expect(segment.selection == .init(index: 1, rule: "context"))
    #expect(segment.words.map(\.start) == [4, 5])
    // Where no word is cut off the readings without times stay.
    let whole = accumulator.receive(
      .final(
        start: 5.5, end: 9,
        candidates: [Self.candidate("seven", 6, 9), Candidate(text: "heaven", words: [], confidence: 0)]))
    let last = try #require(whole)
    #expect(last.start == 6)
    #expect(last.candidates.map(\.text) == ["seven", "heaven"])
  }

  /// The range of a final is that of its first candidate. Another candidate may need more time, and a word may begin before
  /// the last segment ends.
  @Test func segmentHoldsAllItsWords() throws {
    var accumulator = TranscriptAccumulator()
    let longer = Candidate(
      text: "the words",
      words: [
        Word(text: "the", start: 1.9, end: 2.1, confidence: 1),
        Word(text: "words", start: 2.05, end: 4.02, confidence: 1),
      ], confidence: 0.4)
    let event = Event.final(
      start: 2, end: 4, candidates: [Self.candidate("words", 2, 4), longer],
      selection: .init(index: 1, rule: "context"))
    let committed = accumulator.receive(event)
    let first = try #require(committed)
    #expect(first.range == 1.9...4.02)
    #expect(first.words.map(\.start) == [1.9, 2.1])
    let following = accumulator.receive(Self.final(3.8, 4.8, "next"))
    let next = try #require(following)
    #expect(next.range == 4.02...4.8)
    #expect(next.words.map(\.start) == [4.02])
  }

  @Test func finalWithoutWordTimesIsKeptOrDroppedWhole() {
    let early = Event.final(
      start: 1, end: 2.5, candidates: [Candidate(text: "x y", words: [], confidence: 0)])
    let late = Event.final(
      start: 1.8, end: 4, candidates: [Candidate(text: "x y", words: [], confidence: 0)])
    #expect(texts(Self.final(0, 2, "a b"), early) == ["a b"])
    #expect(texts(Self.final(0, 2, "a b"), late) == ["a b", "x y"])
  }

  @Test func emptyOrInvalidFinalsAreNotCommitted() {
    #expect(texts(Self.final(0, 2, "")) == [])
    #expect(texts(Self.final(2, 0, "a")) == [])
    #expect(texts(.final(start: 0, end: 1, candidates: [])) == [])
    #expect(
      texts(
        .final(
          start: 0, end: 1, candidates: [Self.candidate("a", 0, 1)], selection: .init(index: 1, rule: "x")))
        == [])
  }

  @Test func newestPartialIsActive() {
    var accumulator = TranscriptAccumulator()
    _ = accumulator.receive(Self.partial(0, 1, "he"))
    _ = accumulator.receive(Self.partial(0, 2, "hello"))
    #expect(accumulator.active?.text == "hello")
    _ = accumulator.receive(Self.final(0, 2, "hello"))
    #expect(accumulator.active == nil)
    // Late, and about what is committed.
    _ = accumulator.receive(Self.partial(0, 1.5, "hell"))
    #expect(accumulator.active == nil)
    // The next sentence may be under way before the last one is final.
    _ = accumulator.receive(Self.partial(5, 6, "next"))
    _ = accumulator.receive(Self.final(2, 5, "before"))
    #expect(accumulator.active?.text == "next")
    _ = accumulator.receive(Self.partial(5, 6, ""))
    #expect(accumulator.active == nil)
  }

  @Test func accumulatorContinuesAfterTheLastSegment() {
    var first = TranscriptAccumulator()
    let segment = first.receive(Self.final(0, 2, "a b"))
    var second = TranscriptAccumulator(resumingAfter: segment)
    let again = second.receive(Self.final(0, 2, "a b"))
    let next = second.receive(Self.final(2, 3, "c"))
    #expect(again == nil)
    #expect(next?.id == 1)
  }

  @Test(arguments: 0..<200)
  func anyOrderOfEventsCommitsEachWordOnceInOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Every word is said once, each second a word; finals cover any stretch of it, in nearly any order.
    let said = (0..<60).map { "w\($0)" }
    var accumulator = TranscriptAccumulator()
    var committed: [Segment] = []
    var position = 0
    var past: [Event] = []
    for _ in 0..<80 {
      let start = max(0, min(58, position + Int.random(in: -4...2, using: &random)))
      let end = min(60, start + Int.random(in: 1...5, using: &random))
      let event: Event =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: Self.partial(Double(start), Double(end), said[start..<end].joined(separator: " "))
        case 1: past.randomElement(using: &random) ?? Self.final(0, 1, said[0])
        default: Self.final(Double(start), Double(end), said[start..<end].joined(separator: " "))
        }
      past.append(event)
      if let segment = accumulator.receive(event) { committed.append(segment) }
      position = Int(accumulator.last?.end ?? 0)
    }
    #expect(committed.map(\.id) == Array(committed.indices))
    #expect(zip(committed, committed.dropFirst()).allSatisfy { $0.end <= $1.start })
    #expect(committed.allSatisfy { $0.start <= $0.end })
    // Nothing twice, nothing out of order, and nothing at a time at which it was not said.
    let words = committed.flatMap(\.words)
    #expect(Set(words.map(\.text)).count == words.count)
    #expect(words.allSatisfy { $0.text == "w\(Int($0.start.rounded()))" })
    #expect(zip(words, words.dropFirst()).allSatisfy { $0.start < $1.start })
    #expect(committed.allSatisfy { $0.text == $0.words.map(\.text).joined(separator: " ") })
  }
}
