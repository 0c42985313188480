import Foundation
import Longhand
import Testing

@testable import LonghandTranscripts

/// Words that rules removed, and why.
@Suite struct RejectedWordsTests {
  private func transcript(_ spans: [CoverageSpan], _ warnings: [TranscriptWarning] = []) -> Transcript {
    var transcript = Transcript.empty
    transcript.duration = 10
    transcript.spans = spans
    transcript.warnings = warnings
    return transcript
  }

  @Test(arguments: RejectedWords.Rule.allCases, ["Today", "Well, \"so\"; rejected words: it is", "前", "四"])
  func removedWordsAreReadAsTheyWereWritten(_ rule: RejectedWords.Rule, _ text: String) throws {
    let words = RejectedWords(text: text, start: 1, end: 2, rule: rule)
    let known = words.stretch
    let span = CoverageSpan(start: 1, end: 2, kind: known.kind, reason: known.reason)
    #expect(transcript([span]).rejected == [words])
    // Where somebody speaks, it is speech without words.
    #expect(known.kind == (rule == .noSpeech ? .nonspeech : .wordless))
  }

  @Test func aSecondTimeWithoutRoomIsRejected() {
    let words = [(1.0, 1.1), (1.1, 1.2)].map { Word(text: "the", start: $0, end: $1, confidence: 0.4) }
    let event = TranscriptionEvent.rejected(words, by: .repetition)
    guard case .warning(let warning)? = event else {
      Issue.record("no warning")
      return
    }
    let kept = TranscriptWarning.repetition("one two", 3...4, isKept: true)
    #expect(
      transcript([], [kept, warning]).rejected
        == [RejectedWords(text: "the the", start: 1, end: 1.2, rule: .repetition)])
  }

  @Test func documentHasThemInTheOrderOfTheAudio() throws {
    let early = RejectedWords(text: "you", start: 1, end: 1.5, rule: .loneWord).stretch
    let late = TranscriptWarning.repetition("one", 0.5...0.6, isKept: false)
    let span = CoverageSpan(start: 1, end: 1.5, kind: early.kind, reason: early.reason)
    let other = CoverageSpan(start: 2, end: 3, kind: .wordless, reason: "speech without words")
    let json = TranscriptFormatter(format: .json).string(for: transcript([span, other], [late]))
    let lines = json.split(separator: "\n").drop { $0 != #"  "rejected": ["# }.dropFirst().prefix(2)
    #expect(lines.first == #"    {"text": "one", "start": 0.5, "end": 0.6, "rule": "repetition"},"#)
    #expect(lines.last == #"    {"text": "you", "start": 1, "end": 1.5, "rule": "lone-word"}"#)
    let none = TranscriptFormatter(format: .json).string(for: transcript([other]))
    #expect(!none.contains("rejected"))
  }
}
