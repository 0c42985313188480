import Foundation
import Longhand
import Testing

@testable import LonghandTranscription

/// Languages and writings other than English, through accumulator, formats and search.
@Suite struct WritingSystemTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let locale: String
    let words: [String]
    /// The words as a person writes them.
    let text: String
    /// The query, and what is marked.
    let queries: [(query: String, match: String)]

    var testDescription: String { locale }
  }

  static let samples = [
    Sample(
      locale: "de-DE", words: ["Größere", "Straßen", "führen", "übers", "Moor."],
      text: "Größere Straßen führen übers Moor.",
      queries: [("straßen", "Straßen"), ("größere", "Größere"), ("moor", "Moor")]),
    Sample(
      locale: "es-ES", words: ["¿Cuándo", "llegó", "el", "niño?"], text: "¿Cuándo llegó el niño?",
      queries: [("cuándo", "Cuándo"), ("niño", "niño")]),
    Sample(
      locale: "ru-RU", words: ["Завтра", "поедем", "в", "Ёлкино."], text: "Завтра поедем в Ёлкино.",
      queries: [("завтра", "Завтра"), ("ПОЕДЕМ", "поедем")]),
    Sample(
      locale: "ja-JP", words: ["東", "京", "タ", "ワー", "に", "行", "き", "ます。", "GPS", "で"],
      text: "東京タワーに行きます。 GPS で",
      queries: [("東京", "東京"), ("行きます", "行きます"), ("GPS", "GPS")]),
    Sample(
      locale: "zh-CN", words: ["今", "天", "下", "雨", "了"], text: "今天下雨了",
      queries: [("下雨", "下雨"), ("今天 雨", "今天")]),
  ]

  /// Two segments with the same words, as the accumulator commits them.
  private func transcript(_ sample: Sample) -> Transcript {
    var accumulator = TranscriptAccumulator()
    let segments = [1.0, 20.0].compactMap { start in
      let words = sample.words.enumerated().map { index, text in
        Word(
          text: text, start: start + Double(index) / 2, end: start + Double(index + 1) / 2, confidence: nil)
      }
      let candidate = Candidate(text: sample.words.joinedWords(), words: words)
      return accumulator.receive(
        .final(start: start, end: words.last?.end ?? start, candidates: [candidate]))
    }
    return Transcript(
      source: "talk.wav", locale: sample.locale, engine: "analyzer", duration: 30, segments: segments,
      coverage: Coverage(transcribed: 30))
  }

  @Test(arguments: samples) func textIsWrittenAsPeopleWriteIt(_ sample: Sample) {
    #expect(sample.words.joinedWords() == sample.text)
    #expect(transcript(sample).segments.map(\.text) == [sample.text, sample.text])
  }

  @Test(arguments: samples) func everyFormatHasTheText(_ sample: Sample) {
    // Turns have no words.
    for format in TranscriptFormat.allCases where format != .rttm {
      let document = TranscriptFormatter(format: format).string(for: transcript(sample))
      for word in sample.words {
        #expect(document.contains(word), "\(word) in \(format)")
      }
      // NIST's format has a line for each word.
      guard format != .ctm else { continue }
      // A caption begins with each sentence.
      let sentences =
        [.srt, .vtt].contains(format) ? sample.text.components(separatedBy: "。 ") : [sample.text]
      for sentence in sentences { #expect(document.contains(sentence), "\(sentence) in \(format)") }
    }
  }

  @Test(arguments: samples) func captionLinesKeepTheirWidth(_ sample: Sample) {
    let formatter = TranscriptFormatter(format: .srt, layout: CaptionLayout(maxLineWidth: 8, maxLineCount: 2))
    let lines = formatter.string(for: transcript(sample)).split(separator: "\n")
      .filter { Int($0) == nil && !$0.contains("-->") }
    #expect(lines.allSatisfy { $0.count <= 8 }, "\(lines)")
    #expect(
      lines.joined().filter { $0 != " " } == sample.text.filter { $0 != " " }
        + sample.text.filter { $0 != " " })
  }

  @Test(arguments: samples) func searchFindsTheWords(_ sample: Sample) throws {
    try StoreFixture.temporary { store in
      _ = try store.add(["other words"])
      let session = try store.add([sample.text])
      for (query, match) in sample.queries {
        let hits = try store.search(query)
        #expect(hits.map(\.session) == [session], "\(query)")
        #expect(hits.first?.text == sample.text)
        #expect(hits.first?.fragments.first(where: \.isMatch)?.text == match)
      }
    }
  }

  @Test func searchWithoutSpacesLooksAtCurrentTextOnly() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["明日は雨です", "今日は晴れです"])
      try store.revise(
        0, in: session, candidates: [StoreFixture.segment(0, "明日は雪です").chosen],
        selection: .init(index: 0, rule: "person"), reason: "a name")
      #expect(try store.search("雨").isEmpty)
      #expect(try store.search("日は").map(\.text) == ["明日は雪です", "今日は晴れです"])
      #expect(try store.search("日は", limit: 1).count == 1)
      #expect(try store.search("日は", limit: -1).isEmpty)
      #expect(try store.search("日は 晴れ").map(\.text) == ["今日は晴れです"])
      try store.erase(session)
      #expect(try store.search("日は").isEmpty)
    }
  }
}
