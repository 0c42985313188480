import Foundation
import Longhand
import Testing

/// Each format to the letter, for a transcript with markup, quotes and an election.
@Suite struct TranscriptFormatterTests {
  private func text(
    _ format: TranscriptFormat, words: Bool = false, layout: CaptionLayout = .segments,
    alternatives: Int? = nil, style: TextStyle = .words, of transcript: Transcript = .sample
  ) -> String {
    TranscriptFormatter(
      format: format, layout: layout, wordTimestamps: words, alternatives: alternatives, style: style
    ).string(for: transcript)
  }

  @Test func plainTextIsWritten() {
    #expect(text(.txt) == "Play the \"Kimura\" now\nR&B <3\n")
    #expect(
      text(.txt, words: true) == """
        0.500\t0.800\tPlay
        0.800\t0.900\tthe
        1.000\t1.500\t"Kimura"
        1.600\t2.200\tnow
        4.100\t4.500\tR&B
        4.500\t5.000\t<3

        """)
  }

  @Test func subRipIsWritten() {
    #expect(
      text(.srt) == """
        1
        00:00:00,480 --> 00:00:02,200
        Play the "Kimura" now

        2
        00:00:04,001 --> 00:00:05,000
        R&B <3

        """)
    let words = text(.srt, words: true)
    #expect(
      words.hasPrefix("1\n00:00:00,500 --> 00:00:00,800\nPlay\n\n2\n00:00:00,800 --> 00:00:00,900\nthe\n"))
  }

  @Test func webVTTIsWritten() {
    #expect(
      text(.vtt) == """
        WEBVTT

        00:00:00.480 --> 00:00:02.200
        Play the "Kimura" now

        00:00:04.001 --> 00:00:05.000
        R&amp;B &lt;3

        """)
    #expect(
      text(.vtt, words: true).contains(
        "<00:00:00.500>Play <00:00:00.800>the <00:00:01.000>\"Kimura\" <00:00:01.600>now\n"))
  }

  @Test func tabSeparatedIsWritten() {
    #expect(text(.tsv) == "start\tend\ttext\n480\t2200\tPlay the \"Kimura\" now\n4001\t5000\tR&B <3\n")
    #expect(text(.tsv, words: true).contains("\n1000\t1500\t\"Kimura\"\n"))
  }

  @Test func ctmIsWritten() {
    #expect(
      text(.ctm) == """
        my_talk.wav 1 0.500 0.300 Play 0.9700
        my_talk.wav 1 0.800 0.100 the 0.5000
        my_talk.wav 1 1.000 0.500 "Kimura" 0.3333
        my_talk.wav 1 1.600 0.600 now 1.0000
        my_talk.wav 1 4.100 0.400 R&B 0.7000
        my_talk.wav 1 4.500 0.500 <3 0.6000

        """)
  }

  @Test func markdownIsWritten() {
    #expect(text(.md) == "[00:00:00] Play the \"Kimura\" now R\\&B \\<3\n")
    var transcript = Transcript.sample
    transcript.segments[1].start = 6.3
    #expect(text(.md, of: transcript) == "[00:00:00] Play the \"Kimura\" now\n\n[00:00:06] R\\&B \\<3\n")
  }

  @Test func json() {
    #expect(
      text(.json) == """
        {
          "version": 1,
          "source": "folder/my talk.wav",
          "locale": "en-US",
          "engine": "analyzer",
          "duration": 6.5,
          "text": "Play the \\"Kimura\\" now R&B <3",
          "segments": [
            {"id": 0, "key": 0, "start": 0.48, "end": 2.2, "text": "Play the \\"Kimura\\" now", "formatted": "Play the \\"Kimura\\" now.", "confidence": 0.91, \
        "words": [{"text": "play", "display": "Play", "start": 0.5, "end": 0.8, "confidence": 0.97}, \
        {"text": "the", "display": "the", "start": 0.8, "end": 0.9, "confidence": 0.5}, \
        {"text": "kimura", "display": "\\"Kimura\\"", "start": 1, "end": 1.5, "confidence": 0.3333}, \
        {"text": "now", "display": "now.", "start": 1.6, "end": 2.2, "confidence": 1}], \
        "alternatives": [{"text": "Play the \\"Kimura\\" now", "confidence": 0.91}, \
        {"text": "play the camera now", "confidence": 0.05}], \
        "selection": {"index": 0, "rule": "recognizer"}, "revision": 0, "beginsParagraph": true},
            {"id": 1, "key": 1, "start": 4.001, "end": 5, "text": "R&B <3", "formatted": "R&B <3.", "confidence": 0.1, \
        "words": [{"text": "R&B", "display": "R&B", "start": 4.1, "end": 4.5, "confidence": 0.7}, \
        {"text": "<3", "display": "<3.", "start": 4.5, "end": 5, "confidence": 0.6}], \
        "alternatives": [{"text": "yes", "confidence": 0.2}, {"text": "R&B <3", "confidence": 0.1}], \
        "selection": {"index": 1, "rule": "context"}, "revision": 1, "beginsParagraph": false}
          ],
          "coverage": {"transcribed": 2.72, "silent": 3.78, "wordless": 0, "nonspeech": 0, "pending": 0, "failed": 0, "gaps": 0}
        }

        """)
  }

  @Test func selectedAlternativeIsAlwaysIncluded() {
    let limited = text(.json, alternatives: 1)
    #expect(!limited.contains("camera"))
    #expect(limited.contains(#"[{"text": "yes", "confidence": 0.2}, {"text": "R&B <3", "confidence": 0.1}]"#))
  }

  @Test func jsonLinesHaveFinalsAndSilence() {
    #expect(
      text(.jsonl, alternatives: 1) == """
        {"sequence": 0, "type": "silence", "start": 0, "end": 0.48, "source": "\(Transcript.sample.source)"}
        {"sequence": 1, "type": "final", "segment": 0, "key": 0, "start": 0.48, "end": 2.2, "is_final": true, \
        "text": "Play the \\"Kimura\\" now", "alternatives": [{"text": "Play the \\"Kimura\\" now", "confidence": 0.91}]}
        {"sequence": 2, "type": "silence", "start": 2.2, "end": 4.001}
        {"sequence": 3, "type": "final", "segment": 1, "key": 1, "start": 4.001, "end": 5, "is_final": true, \
        "text": "R&B <3", "alternatives": [{"text": "yes", "confidence": 0.2}, {"text": "R&B <3", "confidence": 0.1}]}
        {"sequence": 4, "type": "silence", "start": 5, "end": 6.5}
        {"sequence": 5, "type": "end", "end": 6.5, \
        "coverage": {"transcribed": 2.72, "silent": 3.78, "wordless": 0, "nonspeech": 0, "pending": 0, "failed": 0, "gaps": 0}}

        """)
    #expect(text(.jsonl, words: true).contains(#""words": [{"text": "play", "start": 0.5, "#))
  }

  /// Written live, a transcript is the same except for the order: parts without words come last.
  @Test func jsonLinesAreWritten() {
    let transcript = Transcript.sample
    let document = JSONLinesDocument(wordTimestamps: true)
    let live =
      transcript.segments.map { document.line(for: $0, of: transcript.source) }.joined()
      + document.rest(of: transcript)
    #expect(live.split(separator: "\n").first?.contains("\"source\"") == true)
    let lines = { (text: String) in
      text.replacing(", \"source\": \"\(transcript.source)\"", with: "").split(separator: "\n").map {
        $0.split(separator: ",", maxSplits: 1).map(String.init)
      }
    }
    let finished = lines(text(.jsonl, words: true))
    #expect(lines(live).map { $0[0] } == finished.map { $0[0] }, "the numbers")
    #expect(Set(lines(live).map { $0[1] }) == Set(finished.map { $0[1] }))
    #expect(lines(live).prefix(transcript.segments.count).allSatisfy { $0[1].contains("final") })
    #expect(lines(live).last == finished.last)
  }

  @Test func everyLineNamesItsRecordingIfThereAreSeveral() {
    let transcript = Transcript.sample
    func count(_ isInEveryLine: Bool) -> (lines: Int, named: Int) {
      let document = JSONLinesDocument(wordTimestamps: false, namesSourceInEveryLine: isInEveryLine)
      let lines = document.string(for: transcript).split(separator: "\n")
      return (lines.count, lines.count { $0.hasSuffix("\"source\": \"\(transcript.source)\"}") })
    }
    #expect(count(true) == (6, 6))
    #expect(count(false) == (6, 1))
  }

  @Test func correctionIsALineOfItsOwn() throws {
    try StoreFixture.temporary { store in
      let library = try Library(at: store.folder)
      let session = try store.add(["the camera lock", "yes"])
      try store.revise(
        0, in: session, candidates: [StoreFixture.segment(0, "the Kimura lock").chosen],
        selection: .init(index: 0, rule: "person"), reason: "a name")
      let text = try library.document(
        store.transcript(of: session), of: session, by: TranscriptFormatter(format: .jsonl))
      let lines = try text.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      let spoken = lines.filter { $0["text"] != nil }
      #expect(spoken.map { $0["type"] as? String } == ["final", "revision", "final"])
      #expect(spoken.map { $0["text"] as? String } == ["the camera lock", "the Kimura lock", "yes"])
      #expect(spoken.map { $0["segment"] as? Int } == [0, 0, 1])
      #expect(spoken[1]["revision"] as? Int == 1)
      #expect(spoken[1]["reason"] as? String == "a name")
      #expect(lines.map { $0["sequence"] as? Int } == Array(0..<lines.count))
    }
  }

  @Test func failedAudioIsNotReportedAsSilence() {
    var transcript = Transcript.sample
    transcript.coverage.failed = 1.5
    let lines = text(.jsonl, of: transcript)
    #expect(!lines.contains("silence"))
    #expect(lines.contains(#""failed": 1.5"#))
  }

  @Test func emptyTranscriptIsWritten() {
    #expect(text(.txt, of: .empty) == "")
    #expect(text(.srt, of: .empty) == "")
    #expect(text(.vtt, of: .empty) == "WEBVTT\n")
    #expect(text(.tsv, of: .empty) == "start\tend\ttext\n")
    #expect(text(.ctm, of: .empty) == "")
    #expect(text(.md, of: .empty) == "")
    #expect(text(.json, of: .empty).contains("\"text\": \"\",\n  \"segments\": [],"))
    #expect(text(.jsonl, of: .empty).hasPrefix(#"{"sequence": 0, "type": "end", "end": 0, "#))
    #expect(text(.textgrid, of: .empty).contains("intervals: size = 1"))
  }

  @Test func timesAreRoundedWithCarry() {
    func cue(_ start: Double, _ end: Double) -> String {
      let segment = Segment(
        id: 0, start: start, end: end, candidates: [Candidate(text: "a", words: [], confidence: 1)])
      let transcript = Transcript(
        source: "a", locale: "en", engine: "a", duration: end, segments: [segment], coverage: Coverage())
      return String(text(.srt, of: transcript).split(separator: "\n")[1])
    }
    #expect(cue(0.0004, 59.9996) == "00:00:00,000 --> 00:01:00,000")
    #expect(cue(1.0005, 3599.9995) == "00:00:01,001 --> 01:00:00,000")
    #expect(cue(7200.1234, 360_000) == "02:00:00,123 --> 100:00:00,000")
    #expect(cue(5, 5) == "00:00:05,000 --> 00:00:05,001")
    #expect(cue(-1, .nan) == "00:00:00,000 --> 00:00:00,001")
  }

  @Test func everyFormatHasItsFileExtension() {
    #expect(
      TranscriptFormat.allCases.map(\.fileExtension).joined(separator: " ")
        == "txt srt vtt json jsonl tsv ctm textgrid md rttm html docx edl fcpxml eaf otr")
  }
}
