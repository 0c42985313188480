import Foundation
import Longhand
import StoreAuditing
import TestSupport
import Testing

/// What readers, searches and audits make of words that are marked as echoes.
@Suite struct EchoTests {
  private static func segment(_ id: Int, _ text: String, at start: Double, channel: Int) -> Segment {
    let words = text.split(separator: " ").enumerated().map { index, text in
      Word(
        text: String(text), start: start + Double(index), end: start + Double(index) + 0.5, confidence: 0.5)
    }
    return Segment(
      id: id, start: start, end: start + Double(words.count),
      candidates: [Candidate(text: text, words: words, confidence: 0.5)], channel: channel)
  }

  /// The loudspeaker says "are you there"; the microphone has that, and what its owner says before another echo.
  private static let segments = [
    segment(0, "are you there", at: 1, channel: 1), segment(1, "are you there", at: 1.1, channel: 0),
    segment(2, "yes hello", at: 8, channel: 0), segment(3, "hello", at: 9, channel: 1),
  ]

  private static var speakers: SessionSpeakers {
    var speakers = SessionSpeakers()
    speakers.addChannels(2, names: ["Me", "Call"])
    speakers.echoes =
      segments[1].words.map { EchoWord(channel: 0, start: $0.start, end: $0.end, word: $0.text) }
      + [EchoWord(channel: 0, start: 9, end: 9.5, word: "Hello,")]
    return speakers
  }

  private func transcript() -> Transcript {
    var transcript = Transcript(
      source: "call.wav", locale: "en-US", engine: "analyzer", duration: 12, segments: Self.segments,
      coverage: Coverage(transcribed: 12))
    Self.speakers.label(&transcript)
    return transcript
  }

  @Test func readersDoNotSeeEchoes() {
    let transcript = transcript()
    let rest = transcript.withoutEcho.segments
    #expect(rest.map(\.text) == ["are you there", "yes", "hello"])
    #expect(rest.map(\.id) == [0, 2, 3])
    #expect(rest[1].end == 8.5)
    #expect(transcript.segments.map(\.text) == Self.segments.map(\.text))
    #expect(transcript.segments.map(\.isEcho) == [false, true, false, false])
    #expect(transcript.segments.map(\.withoutLabels) == Self.segments)
    // They have no speaker.
    #expect(transcript.speakers.map(\.seconds) == [0.5, 4])
    #expect(SpeakerShares(of: transcript).speakers.map(\.words) == [1, 4])
  }

  @Test(arguments: TranscriptFormat.allCases) func documentsHaveEchoesOnRequestOnly(format: TranscriptFormat)
  {
    var formatter = TranscriptFormatter(format: format, style: .words)
    let document = formatter.string(for: transcript())
    formatter.hasEcho = true
    let whole = formatter.string(for: transcript())
    switch format {
    case .json:
      #expect(document.contains(#""text": "are you there yes hello""#))
      #expect(whole.contains(#""text": "are you there are you there yes hello hello""#))
      #expect(document.components(separatedBy: #""echo":"#).count == 1 + 1 + 4)
    case .jsonl:
      #expect(document == whole)
      #expect(document.components(separatedBy: #""echo":"#).count == 2)
    case .rttm:
      #expect(document.split(separator: "\n").count == 3)
      #expect(whole.split(separator: "\n").count == 4)
    default:
      #expect(document != whole)
      #expect(document.components(separatedBy: "there").count < whole.components(separatedBy: "there").count)
    }
  }

  /// What `longhand serve` reads of a recognized file has what all other documents have.
  @Test func documentReadBackHasNoEchoes() throws {
    let text = TranscriptFormatter(format: .json).string(for: transcript())
    let whole = try JSONDecoder().decode(TranscriptDocument.self, from: Data(text.utf8))
    #expect(whole.segments.count == 4)
    let rest = whole.withoutEcho
    let expected = transcript().withoutEcho.segments
    #expect(rest.segments.map(\.text) == ["are you there", "yes", "hello"])
    #expect(rest.segments.map { $0.formatted.lowercased().prefix(3) } == ["are", "yes", "hel"])
    #expect(!rest.segments[1].formatted.lowercased().contains("hello"))
    #expect(rest.formatted.lowercased().components(separatedBy: "hello").count == 2)
    #expect(rest.segments.map(\.start) == expected.map(\.start))
    #expect(rest.segments.map(\.end) == expected.map(\.end))
    #expect(rest.segments[1].words.map(\.text) == ["yes"])
    #expect(rest.segments[1].alternatives.map(\.text) == ["yes"])
  }

  @Test func shownSegmentsHaveNoEchoesForPrograms() throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      try store.append(Self.segments, to: session)
      var vocabulary = Vocabulary(name: "words")
      vocabulary.corrections = [
        .init(recognized: "yes", text: "Yes!"), .init(recognized: "hello", text: "hallo"),
      ]
      try store.setSpellings(vocabulary, of: session)
      try store.changeSpeakers(of: session) { $0 = Self.speakers }
      let shown = try store.shownSegments(of: session, from: 0, limit: 9).map(\.withoutEcho)
      #expect(shown.map { $0?.segment.text } == ["are you there", nil, "yes", "hello"])
      #expect(shown.map { $0?.written.words.count } == [3, nil, 1, 1])
      #expect(shown.map { $0?.normalized?.text } == [nil, nil, "Yes!", "hallo"])
    }
  }

  @Test func wordsWithoutMarkStay() throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      try store.append(Self.segments, to: session)
      try store.changeSpeakers(of: session) { $0 = Self.speakers }
      // Another candidate, and what a person writes, at the same time.
      let other = Candidate(
        text: "or you there",
        words: [
          Word(text: "or", start: 1.1, end: 1.6, confidence: nil),
          Word(text: "you", start: 2.1, end: 2.6, confidence: nil),
          Word(text: "there", start: 3.1, end: 3.6, confidence: nil),
        ], confidence: nil)
      try store.revise(1, in: session, candidates: [other], selection: .recognizer, reason: "again")
      #expect(try store.transcript(of: session).withoutEcho.segments[1].text == "or")
      try store.correct(0..<3, to: "are you there", of: 1, in: session)
      #expect(try store.transcript(of: session).withoutEcho.segments[1].text == "are you there")
    }
  }

  @Test func searchFindsWhatWasSaidOnce() throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      try store.append(Self.segments, to: session)
      #expect(try store.search("there").count == 2)
      try store.changeSpeakers(of: session) { $0 = Self.speakers }
      #expect(try store.search("there").map(\.segment) == [0])
      #expect(try store.search("are you").map(\.segment) == [0])
      #expect(try store.search("hello").map(\.segment) == [3])
      #expect(try store.search("yes").map(\.segment) == [2])
      #expect(try store.search("there", limit: 1).map(\.segment) == [0])
      #expect(try store.transcript(of: session).segments[1].text == "are you there")
    }
  }

  @Test func echoesAreNotUnsure() throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      try store.append(Self.segments, to: session)
      try store.changeSpeakers(of: session) { $0 = Self.speakers }
      #expect(
        try store.unsureWords(of: session, below: 0.6).words.map { [$0.place.segment] + $0.place.words } == [
          [0, 0], [0, 1], [0, 2], [2, 0], [3, 0],
        ])
      let segments = try store.transcript(of: session).segments
      #expect(ExpectedErrors(of: segments, model: "whisper-base", locale: "en")?.words == 5)
    }
  }

  @Test func auditKnowsEchoesOfNothing() throws {
    try StoreFixture.temporary { store in
      let session = try store.add([])
      try store.append(Self.segments, to: session)
      try store.changeSpeakers(of: session) { $0 = Self.speakers }
      #expect(try store.audit().problems == [])
      try store.changeSpeakers(of: session) {
        $0.echoes = [EchoWord(channel: 0, start: 8, end: 8.5, word: "yes")]
      }
      #expect(try store.audit().problems.count == 1)
    }
  }
}
