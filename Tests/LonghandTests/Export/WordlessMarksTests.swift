import Foundation
import Longhand
import Testing

@testable import LonghandTranscription
@testable import LonghandTranscripts

/// Speech without recognized words, as documents show it.
@Suite struct WordlessMarksTests {
  private static let mark = "[no words recognized 0:05–0:07]"

  /// Words, speech without words from 4.81 to 7.14 s, words.
  private static let transcript: Transcript = {
    let segments = [("before", 1.0), ("after", 9.0)].enumerated().map { id, part in
      Segment(
        id: id, start: part.1, end: part.1 + 1,
        candidates: [
          Candidate(
            text: part.0, words: [Word(text: part.0, start: part.1, end: part.1 + 1, confidence: 0.5)])
        ])
    }
    let known: [CoverageSpan.Stretch] =
      segments.map { ($0.range, .transcribed, "") } + [(4.81...7.14, .wordless, "speech without words")]
    return Transcript(
      source: "talk.wav", locale: "en-US", engine: "analyzer", duration: 12, segments: segments,
      spans: CoverageSpan.all(of: 12, known))
  }()

  private func document(_ format: TranscriptFormat, marks: Bool? = nil) -> String {
    TranscriptFormatter(format: format, marksWordless: marks).string(for: Self.transcript)
  }

  @Test func textHasAMarkBetweenItsLinesOnRequest() {
    #expect(document(.txt, marks: true) == "Before.\n\n\(Self.mark)\n\nAfter.\n")
    #expect(document(.txt) == "Before.\n\nAfter.\n")
  }

  @Test func captionsHaveAMarkAtItsTimeOnRequest() {
    #expect(document(.srt, marks: true).contains("2\n00:00:04,810 --> 00:00:07,140\n\(Self.mark)\n"))
    #expect(document(.vtt, marks: true).contains("00:00:04.810 --> 00:00:07.140\n\(Self.mark)\n"))
    #expect(!document(.srt).contains("no words"))
    #expect(!document(.vtt).contains("no words"))
  }

  @Test func markdownHasAMarkUnlessItIsTurnedOff() {
    #expect(document(.md) == "[00:00:01] Before.\n\n\(Self.mark)\n\n[00:00:09] After.\n")
    #expect(document(.md, marks: false) == "[00:00:01] Before.\n\n[00:00:09] After.\n")
  }

  @Test func jsonCountsTheSecondsApartFromSilence() {
    #expect(
      document(.json).contains("\"silent\": 7.67, \"wordless\": 2.33, \"nonspeech\": 0, \"pending\": 0"))
  }

  @Test func jsonLinesSayWhere() {
    let lines = document(.jsonl).split(separator: "\n").map(String.init)
    #expect(lines.count == 8)
    #expect(lines[2] == #"{"sequence": 2, "type": "silence", "start": 2, "end": 4.81}"#)
    #expect(
      lines[3]
        == #"{"sequence": 3, "type": "silence", "start": 4.81, "end": 7.14, "reason": "speech without words"}"#
    )
    #expect(lines[4] == #"{"sequence": 4, "type": "silence", "start": 7.14, "end": 9}"#)
  }

  @Test func gapsHaveALineWithTheirReason() {
    var transcript = Self.transcript
    transcript.spans = CoverageSpan.all(
      of: 12, [(0...1, .gap, "device"), (1...2, .transcribed, ""), (9...10, .transcribed, "")])
    let text = TranscriptFormatter(format: .jsonl).string(for: transcript)
    #expect(text.hasPrefix(#"{"sequence": 0, "type": "gap", "start": 0, "end": 1, "reason": "device", "#))
  }

  @Test func liveLinesSayWhere() {
    var lines = LiveLines(source: "talk.wav")
    let first = lines.wordless(4.81...7.14, "speech without words")
    let final = lines.final(Self.transcript.segments[1])
    #expect(
      first == """
        {"sequence": 0, "type": "silence", "start": 0, "end": 4.81, "source": "talk.wav"}
        {"sequence": 1, "type": "silence", "start": 4.81, "end": 7.14, "reason": "speech without words"}

        """)
    #expect(final.hasPrefix(#"{"sequence": 2, "type": "silence", "start": 7.14, "end": 9}"#))
  }

  @Test func marksAfterAnHourHaveHours() {
    let span = CoverageSpan(start: 3599.6, end: 3725, kind: .wordless)
    #expect(span.wordlessMark == "[no words recognized 1:00:00–1:02:05]")
  }
}
