import Foundation
import Longhand
import ScriptedSpeech
import SentenceFormatting
import TestSupport
import Testing

@testable import LonghandArchive

/// Search results are written in sentences, with the same words found.
struct WrittenSearchTests {
  private func hit(_ parts: [(String, Bool)]) -> SearchHit {
    SearchHit(
      session: "a", segment: 0, start: 0, end: 1, fragments: parts.map { .init(text: $0.0, isMatch: $0.1) })
  }

  @Test func marksAreNoPartOfTheMatch() {
    let found = hit([("the ", false), ("train", true), (" was ", false), ("late", true)])
      .written(as: "The train, was late.")
    #expect(found.text == "The train, was late.")
    #expect(found.fragments.filter(\.isMatch).map(\.text) == ["train", "late"])
  }

  @Test func aTextThatIsAnotherOneStaysAsItIs() {
    let original = hit([("the ", false), ("train", true)])
    #expect(original.written(as: "The bus.") == original)
  }

  @Test func aCapitalAtTheBeginningIsPartOfTheMatch() {
    #expect(hit([("i", true), (" go", false)]).written(as: "I go.").fragments.map(\.text) == ["I", " go."])
  }

  /// A segment is read with few others, whatever is around it.
  @Test func segmentsAreWrittenAsInTheWholeTranscript() throws {
    let chapter = try #require(try RecognizedChapter.all().last)
    let ending = "and then we go on and on without an end because nobody stops to breathe"
    let texts =
      ["do you know", "where it is"] + Array(repeating: ending, count: 12) + ["what is this"]
      + (0..<30).map { ["who", "said so", "is", "it true", "A person wrote this.", "the train"][$0 % 6] }
    try StoreFixture.temporary { store in
      let recorded = StoreFixture.session()
      let read = try store.add([], recorded)
      try store.append(CaptionBreakerTests.transcript(chapter).segments, to: read)
      let spoken = try store.add([], StoreFixture.session(start: 1))
      // Without pauses.
      let segments = texts.enumerated().map { index, text in
        var segment = StoreFixture.segment(index, text)
        if !"A".contains(text.prefix(1)) { segment.end = Double(index + 1) * 6 }
        return segment
      }
      try store.append(segments, to: spoken)
      // Some words have marks of a model.
      let marked = try store.add([], StoreFixture.session(start: 2))
      var generator = SeededGenerator(seed: 3)
      try store.append(
        segments.map { segment in
          var segment = segment
          for index in segment.words.indices {
            segment.candidates[0].words[index].marks = WordMarks(
              code: Int.random(in: -20...75, using: &generator))
          }
          return segment
        }, to: marked)
      for session in [read, spoken, marked] {
        let whole = try store.transcript(of: session).segments
        var writer = SentenceWriter(locale: "en-US")
        let written = whole.flatMap { writer.append($0) } + writer.finish(isOpen: true)
        for limit in [1, 2, 7] {
          for first in whole.indices where isSoak || first % 13 == 0 {
            let found = try store.shownSegments(of: session, from: first, limit: limit)
            #expect(found.map(\.written) == Array(written[first...].prefix(limit)))
          }
        }
        let hits = whole.enumerated().filter { $0.offset % 5 < 2 || $0.offset % 17 == 0 }.map { _, segment in
          SearchHit(
            session: session, segment: segment.id, start: segment.start, end: segment.end,
            fragments: [.init(text: segment.text, isMatch: false)])
        }
        #expect(try store.written(hits).map(\.text) == hits.map { written[$0.segment].text })
      }
    }
  }
}
