@testable import RecognitionCore
import RecognitionProtocol
import Testing

@testable import Speech

@Suite struct WordTimesTests {
  /// Words that are named after their position.
  private func text(_ spans: [WordTimes.Span]) -> [(text: String, span: WordTimes.Span)] {
    spans.enumerated().map { ("word\($0.offset)", $0.element) }
  }

  private func hypothesis(_ spans: [WordTimes.Span]) -> ServiceHypothesis {
    .init(
      words: text(spans).map {
        .init(text: $0.text, start: $0.span.start, end: $0.span.end, confidence: nil)
      },
      confidence: nil)
  }

  private func flat(_ spans: [WordTimes.Span]) -> [Double] { spans.flatMap { [$0.start, $0.end] } }

  @Test func wordsGetTheTimesOfTheAlignment() {
    let times = WordTimes(nonspeech: [])
    let found = times.spans(of: [text([(0.1, 0.4), (0.4, 1)])]) { _ in [hypothesis([(0.2, 0.5), (0.7, 1.1)])]
    }
    #expect(flat(found[0]) == [0.2, 0.5, 0.7, 1.1])
  }

  /// Alternatives are found by their times.
  @Test func otherTextsMoveAlong() {
    let found = WordTimes(nonspeech: []).spans(of: [text([(1, 2), (2, 3)]), text([(1, 1.5), (1.5, 3)])]) {
      _ in
      [hypothesis([(2, 4), (5, 6)])]
    }
    #expect(flat(found[1]) == [2, 3, 3, 6])
  }

  @Test func onlyTimesAreTaken() {
    let own = [text([(0.1, 0.4), (0.4, 1)])]
    var other = hypothesis([(0.2, 0.5), (0.7, 1.1)])
    other.words[1].text = "evil"
    #expect(flat(WordTimes(nonspeech: []).spans(of: own) { _ in [other] }[0]) == [0.1, 0.4, 0.4, 1])
    #expect(flat(WordTimes(nonspeech: []).spans(of: own) { _ in [] }[0]) == [0.1, 0.4, 0.4, 1])
    #expect(
      flat(WordTimes(nonspeech: []).spans(of: own) { _ in throw SpeechServiceFailure.cancelled }[0]) == [
        0.1, 0.4, 0.4, 1,
      ])
  }

  @Test func withoutAnAlignmentWordsStayInTheSpeech() {
    let times = WordTimes(nonspeech: [0...0.5, 1.5...2])
    #expect(
      flat(times.spans(of: [text([(0.2, 1.2), (1.2, 1.8), (1.8, 2)])], nil)[0]) == [
        0.5, 1.2, 1.2, 1.5, 1.8, 2,
      ])
  }

  /// A word that is removed because it is in no speech must not be moved into speech.
  @Test func wordsOutsideOfSpeechAreNotAligned() {
    let times = WordTimes(nonspeech: [2...3])
    let found = times.spans(of: [text([(0.5, 1), (2.2, 2.8)])]) { texts in
      #expect(texts == [["word0"]])
      return [hypothesis([(0.6, 0.9)])]
    }
    #expect(flat(found[0]).prefix(2) == [0.6, 0.9])
    #expect(flat(found[0]).suffix(2) == [2.2, 2.8])
  }

  /// Whatever the recognizer and the aligner say.
  @Test func timesAreInsideAndInOrder() {
    var generator = SeededGenerator(seed: 37)
    func spans(_ count: Int) -> [WordTimes.Span] {
      let times = (0..<2 * count).map { _ in Double.random(in: 0...10, using: &generator) }.sorted()
      return (0..<count).map { (times[2 * $0], times[2 * $0 + 1]) }
    }
    for _ in 0..<500 {
      let count = Int.random(in: 1...12, using: &generator)
      let texts = [text(spans(count)), text(spans(Int.random(in: 1...12, using: &generator)))]
      let nonspeech = spans(3).map { $0.start...$0.end }
      let isAligned = Bool.random(using: &generator)
      let found = WordTimes(nonspeech: nonspeech).spans(of: texts) { texts in
        isAligned ? [hypothesis(spans(texts[0].count))] : []
      }
      for (text, spans) in zip(texts, found) {
        #expect(spans.count == text.count)
        #expect(flat(spans) == flat(spans).sorted())
        #expect(flat(spans).allSatisfy { (0...10).contains($0) })
      }
    }
  }
}
