import SentenceFormatting
import Testing

@testable import LonghandTranscripts

/// Captions keep within their width and height, lose no word, and follow the words' times.
@Suite struct CaptionLayoutTests {
  private func transcript(_ words: [String], text: String? = nil, timed: Bool = true) -> Transcript {
    let timedWords = words.enumerated().map {
      Word(text: $1, start: Double($0), end: Double($0) + 0.9, confidence: 1)
    }
    let candidate = Candidate(
      text: text ?? words.joined(separator: " "), words: timed ? timedWords : [], confidence: 1)
    let end = Double(words.count)
    return Transcript(
      source: "a", locale: "en", engine: "a", duration: end,
      segments: [Segment(id: 0, start: 0, end: end, candidates: [candidate])], coverage: Coverage())
  }

  private func captions(_ transcript: Transcript, width: Int?, count: Int?) -> [Caption] {
    CaptionWriter(layout: CaptionLayout(maxLineWidth: width, maxLineCount: count)).captions(of: transcript)
  }

  @Test func splitsOnWordTimes() {
    let found = captions(transcript(["one", "two", "three", "four", "five"]), width: 9, count: 1)
    #expect(found.map(\.texts) == [["one"], ["two three"], ["four five"]])
    #expect(found.map(\.start.count) == [0, 1000, 3000])
    #expect(found.map(\.end.count) == [1000, 3000, 5000])
  }

  @Test func fillsLinesBeforeCaptions() {
    let found = captions(transcript(["one", "two", "three", "four", "five"]), width: 9, count: 2)
    #expect(found.map(\.texts) == [["one two"], ["three", "four five"]])
  }

  @Test func withoutLineCountSegmentIsOneCaption() {
    let found = captions(transcript(["one", "two", "three"]), width: 3, count: nil)
    #expect(found.map(\.texts) == [["one", "two", "three"]])
  }

  @Test func withoutWidthNoLineBreaks() {
    #expect(captions(transcript(["one", "two"]), width: nil, count: 1).map(\.texts) == [["one two"]])
  }

  @Test func longWordIsAloneOnItsLine() {
    let found = captions(transcript(["a", "extraordinary", "b"]), width: 5, count: 1)
    #expect(found.map(\.texts) == [["a"], ["extraordinary"], ["b"]])
  }

  @Test func widthCountsColumns() {
    let found = captions(transcript(["👩‍👩‍👧‍👦🇨🇭", "e\u{301}e\u{301}"]), width: 7, count: 1)
    #expect(found.map(\.texts) == [["👩‍👩‍👧‍👦🇨🇭 e\u{301}e\u{301}"]])
  }

  @Test func textsWithoutSpacesAreSplitAtWords() {
    let found = captions(transcript(["今日", "は", "晴れ"], text: "今日は晴れ。"), width: 6, count: 1)
    #expect(found.map(\.texts) == [["今日は"], ["晴れ。"]])
    #expect(found.map(\.start.count) == [0, 2000])
  }

  @Test func unknownWordTimesAreEstimatedByLength() {
    let found = captions(transcript(["aaaa", "bbbb", "cccc"], timed: false), width: 4, count: 1)
    #expect(found.map(\.texts) == [["aaaa"], ["bbbb"], ["cccc"]])
    #expect(found.map(\.start.count) == [0, 1000, 2000])
  }

  @Test func limitsBelowOneAreOne() {
    #expect(captions(transcript(["ab", "c"]), width: 0, count: -3).map(\.texts) == [["ab"], ["c"]])
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func captionsKeepTheirLimitsForAnyTranscript(seed: UInt64) {
    let transcript = RandomTranscripts.transcript(seed: seed)
    let width = Int(seed % 40) + 1
    let count = Int(seed % 3) + 1
    let found = captions(transcript, width: width, count: count)
    for caption in found {
      #expect(caption.lines.count <= count)
      for line in caption.lines { #expect(line.count == 1 || TimedText.text(line).columns <= width) }
      #expect(caption.start < caption.end)
    }
    for (first, second) in zip(found, found.dropFirst()) { #expect(first.end <= second.start) }
    let all = transcript.segments.map { LineText.of($0.text) }.filter { !$0.isEmpty }.joined(separator: " ")
    #expect(found.flatMap(\.texts).joined(separator: " ") == all)
  }
}
