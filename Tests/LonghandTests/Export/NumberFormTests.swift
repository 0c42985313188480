import Testing

@testable import LonghandTranscripts

@Suite struct NumberFormTests {
  /// Segments of words that last half a second each; the confidence of each word is less than that of the one before.
  private func transcript(_ lines: String..., locale: String = "en-US", length: Double = 0.5) -> Transcript {
    var time = 0.0
    let segments = lines.enumerated().map { index, line in
      let words = line.split(separator: " ").enumerated().map { number, word in
        defer { time += length }
        return Word(
          text: String(word), start: time, end: time + length, confidence: 0.9 - 0.1 * Double(number))
      }
      return Segment(
        id: index, start: words[0].start, end: time,
        candidates: [
          Candidate(text: line, words: words, confidence: 0.9),
          Candidate(text: "x", words: [], confidence: 0.1),
        ])
    }
    return Transcript(
      source: "a.wav", locale: locale, engine: "e", duration: time, segments: segments,
      coverage: Coverage(transcribed: time))
  }

  private func document(
    _ format: TranscriptFormat, _ numbers: NumberForm?, _ transcript: Transcript,
    _ style: TextStyle = .sentences
  ) -> String {
    var formatter = TranscriptFormatter(format: format, style: style)
    formatter.numbers = numbers
    return formatter.string(for: transcript)
  }

  @Test func wordsOfANumberShareItsTime() {
    let said = transcript("In 1999.", "Yes.")
    #expect(
      document(.ctm, .spoken, said)
        == """
        a 1 0.000 0.500 In 0.9000
        a 1 0.500 0.205 nineteen 0.8000
        a 1 0.705 0.159 ninety 0.8000
        a 1 0.864 0.136 nine. 0.8000
        a 1 1.000 0.500 Yes. 0.9000

        """.replacing("a 1", with: "a.wav 1"))
  }

  @Test func numberLastsFromItsFirstWordToItsLast() {
    let said = transcript("in nineteen ninety nine", "yes")
    #expect(
      document(.ctm, .written, said) == """
        a.wav 1 0.000 0.500 in 0.9000
        a.wav 1 0.500 1.500 1999 0.6000
        a.wav 1 2.000 0.500 yes 0.9000

        """)
    #expect(
      document(.textgrid, .written, said).contains(
        "xmin = 0.5\n            xmax = 2\n            text = \"1999\""))
  }

  /// A short word gets room for the words of its number from its neighbors.
  @Test func eachWordHasALength() {
    let said = transcript("in 1999, 21", length: 0.05).withNumbers(.spoken)
    let words = said.segments[0].words
    #expect(words.map(\.text) == ["in", "nineteen", "ninety", "nine,", "twenty", "one"])
    for word in words { #expect(word.end - word.start > 0.0199, "\(word)") }
    let times = words.flatMap { [$0.start, $0.end] }
    #expect(times == times.sorted())
  }

  @Test(arguments: [
    TranscriptFormat.txt, .srt, .vtt, .tsv, .ctm, .textgrid, .md, .html, .docx, .edl, .fcpxml, .eaf, .otr,
  ])
  func textsHaveEitherForm(_ format: TranscriptFormat) {
    let spoken = document(format, .spoken, transcript("In 1999, it was one of 21 men."))
    #expect(spoken.contains("twenty") && !spoken.contains("1999"), "\(spoken)")
    let written = document(
      format, .written, transcript("In nineteen ninety-nine, it was one of twenty-one men."))
    #expect(written.contains("1999") && written.contains("21"), "\(written)")
    #expect(written.contains("one"), "\(written)")
  }

  @Test(arguments: [TranscriptFormat.json, .jsonl, .rttm])
  func othersHaveTheRecognizedWords(_ format: TranscriptFormat) {
    #expect(!format.hasNumberForms)
    let said = transcript("in 1999 it was")
    #expect(document(format, .spoken, said) == document(format, nil, said))
  }

  @Test func sentenceBeginsWithACapital() {
    #expect(
      document(.txt, .spoken, transcript("1999 was good. 21 men, 5 of them.", "20 more")).hasPrefix(
        "Nineteen ninety nine was good. Twenty one men, five of them. Twenty more"))
    #expect(document(.txt, .spoken, transcript("21 men came"), .words) == "twenty one men came\n")
    #expect(document(.txt, .written, transcript("twenty one men came")) == "21 men came.\n")
  }

  @Test func languageOfASegmentDecides() {
    var said = transcript("in 1999", "im Jahr 1999", "w 1999", locale: "en-US")
    said.segments[1].candidates[0].language = "de-DE"
    said.segments[2].candidates[0].language = "pl-PL"
    #expect(
      document(.txt, .spoken, said, .words)
        == "in nineteen ninety nine\nim Jahr neunzehnhundertneunundneunzig\nw 1999\n")
  }

  @Test func numberOfTwoSpeakersStays() {
    var said = transcript("it was twenty five")
    #expect(said.withNumbers(.written).text == "it was 25")
    said.segments[0].candidates[0].words[3].speaker = "b"
    #expect(said.withNumbers(.written).text == "it was twenty five")
  }

  /// A text whose words have no times.
  @Test func textWithoutWordsIsChanged() {
    var said = transcript("in 1999")
    said.segments[0].candidates[0].words = []
    #expect(said.withNumbers(.spoken).text == "in nineteen ninety nine")
  }

  /// Whatever is said: in order, in the segment, and only the chosen text changes.
  @Test func nothingElseChanges() {
    let said = transcript("the 1st of 1999 and 5,000", "three two one twenty first", locale: "en-US")
    for form in NumberForm.allCases {
      let other = said.withNumbers(form)
      for (before, after) in zip(said.segments, other.segments) {
        #expect(after.candidates[1] == before.candidates[1])
        #expect(after.range == before.range)
        let times = after.words.flatMap { [$0.start, $0.end] }
        #expect(times == times.sorted())
        #expect(after.words.map(\.text).joined(separator: " ") == after.text)
      }
    }
  }
}
