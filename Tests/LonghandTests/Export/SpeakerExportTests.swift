import Foundation
import Testing

@testable import LonghandTranscripts

@Suite struct SpeakerExportTests {
  private static func segment(
    _ id: Int, _ start: Double, _ text: String, _ speakers: [String?], channel: Int? = nil
  ) -> Segment {
    let words = text.split(separator: " ").enumerated().map { index, text in
      var word = Word(
        text: String(text), start: start + Double(index) * 0.5, end: start + Double(index) * 0.5 + 0.4,
        confidence: 0.5)
      word.speaker = speakers[min(index, speakers.count - 1)]
      return word
    }
    var segment = Segment(
      id: id, start: start, end: start + Double(words.count) * 0.5,
      candidates: [Candidate(text: text, words: words, confidence: 0.5)], channel: channel)
    segment.speaker = speakers[0].map { SpeakerLabel(speaker: $0, basis: .voice, confidence: 0.5) }
    return segment
  }

  /// Anna asks, Ben answers in the middle of a segment, and then an unknown speaker.
  private static let conversation: Transcript = {
    var transcript = Transcript(
      source: "a/my call.wav", locale: "en-US", engine: "analyzer", duration: 12,
      segments: [
        segment(0, 1, "how are you i am fine", ["a", "a", "a", "b", "b", "b"]),
        segment(1, 6, "good", ["a"]), segment(2, 8, "who knows", [nil]),
      ], coverage: Coverage())
    transcript.speakers = [
      Speaker(id: "a", name: "Anna", basis: .voice, seconds: 2),
      Speaker(id: "b", name: "Ben & Co", basis: .voice, seconds: 1.5),
    ]
    return transcript
  }()

  private func document(
    _ format: TranscriptFormat, _ style: TextStyle = .words, of transcript: Transcript = conversation
  ) -> String {
    TranscriptFormatter(format: format, style: style).string(for: transcript)
  }

  @Test func plainTextNamesEachSpeaker() {
    #expect(
      document(.txt) == "Anna: how are you\nBen & Co: i am fine\nAnna: good\nUnknown: who knows\n")
  }

  @Test func paragraphsAndSentencesEndWhereAnotherSpeaks() {
    #expect(
      document(.txt, .sentences)
        == "Anna: How are you?\n\nBen & Co: I am fine.\n\nAnna: Good.\n\nUnknown: Who knows?\n")
  }

  @Test func markdownNamesEachSpeaker() {
    #expect(
      document(.md, .sentences).hasPrefix("[00:00:01] Anna: How are you?\n\n[00:00:02] Ben \\& Co: I am"))
  }

  @Test func captionsHaveOneSpeaker() {
    #expect(document(.srt).contains("\n00:00:01,000 --> 00:00:02,500\nAnna: how are you\n"))
    let web = document(.vtt)
    #expect(web.contains("\n<v Anna>how are you\n"))
    #expect(web.contains("\n<v Ben &amp; Co>i am fine\n"))
  }

  // MARK: The translation alone

  /// A call of which both sides speak at once, and the microphone has an echo; with the translations of its segments.
  private static func call(_ texts: [String], _ passages: [String]) -> Transcript {
    var segments = [
      segment(0, 1, texts[0], ["a"], channel: 0), segment(1, 1, texts[1], ["b"], channel: 1),
      segment(2, 6, texts[2], [nil], channel: 0), segment(3, 8, texts[3], ["a"], channel: 0),
    ]
    segments[1].end = segments[0].end
    for index in segments[2].words.indices { segments[2].candidates[0].words[index].isEcho = true }
    segments[3].candidates[0].words[0].isEcho = true
    var transcript = conversation
    transcript.segments = segments
    transcript.translation = Translation(
      model: "whisper",
      passages: zip(segments, passages).map {
        Translation.Passage(
          start: $0.withoutEcho?.start ?? $0.start, end: $0.withoutEcho?.end ?? $0.end, text: $1)
      })
    return transcript
  }

  @Test(arguments: [
    ["wie geht es", "mir geht es", "mir geht", "ja gut"],
    ["Comment ça va ?", "Ça va bien.", "Ça va.", "Oui, bien."],
    ["你 好 吗", "我 很 好", "很 好", "是 好"],
  ]) func translationKeepsWhoSpeaks(_ texts: [String]) throws {
    let transcript = Self.call(texts, ["How are you?", "I am well.", "Am well.", "Good."])
    let translated = try #require(transcript.translated)
    #expect(translated.segments.map(\.text) == ["How are you?", "I am well.", "Good."])
    #expect(translated.segments.map { $0.speaker?.speaker } == ["a", "b", "a"])
    #expect(translated.segments.map(\.channel) == [0, 1, 0])
    let text = document(.txt, of: translated)
    #expect(text == "Anna: How are you?\nBen & Co: I am well.\nAnna: Good.\n")
    let moved = try #require(transcript.moved(by: 100).translated)
    #expect(moved.segments.map { $0.speaker?.speaker } == ["a", "b", "a"])
  }

  /// Where segments were changed since, only what is sure is said of the speakers.
  @Test func passagesOfChangedSegmentsHaveTheOnlySpeakerOfTheirTime() throws {
    var transcript = Self.call(["a b", "c d", "e f", "g h"], ["A.", "B.", "C.", "D."])
    for index in transcript.segments.indices { transcript.segments[index].start -= 0.25 }
    let translated = try #require(transcript.translated)
    #expect(translated.segments.map { $0.speaker?.speaker } == [nil, nil, nil, "a"])
  }

  @Test func textGridHasTiersForEachSpeaker() {
    let names = document(.textgrid).split(separator: "\n").filter { $0.contains("name =") }
      .map { $0.split(separator: "\"")[1] }
    #expect(names == ["Anna", "Anna words", "Ben & Co", "Ben & Co words", "Unknown", "Unknown words"])
  }

  @Test func turnsAreLinesOfRTTM() {
    #expect(
      document(.rttm) == """
        SPEAKER my_call.wav 1 1.000 1.400 <NA> <NA> Anna <NA> <NA>
        SPEAKER my_call.wav 1 2.500 1.500 <NA> <NA> Ben_&_Co <NA> <NA>
        SPEAKER my_call.wav 1 6.000 0.500 <NA> <NA> Anna <NA> <NA>

        """)
    var unknown = Self.conversation
    unknown.speakers = []
    #expect(document(.rttm, of: unknown).split(separator: "\n").allSatisfy { $0.contains(" Unknown ") })
  }

  /// Also at once, and where no words were recognized; not only where there are words.
  @Test func turnsByVoiceAreWhole() {
    var transcript = Self.conversation
    transcript.turns = [
      SpeakerTurn(start: 0.5, end: 3, speaker: "a", confidence: 0.91),
      SpeakerTurn(start: 2.5, end: 4, speaker: "b", confidence: 0.4),
      // A pause of up to half a second is no end, except where another one speaks.
      SpeakerTurn(start: 4.5, end: 5.25, speaker: "b", confidence: 0.8),
      SpeakerTurn(start: 5.5, end: 6, speaker: "z"),
      SpeakerTurn(start: 7, end: 7.5, speaker: "a"), SpeakerTurn(start: 7.2, end: 7.7, speaker: "b"),
      SpeakerTurn(start: 7.8, end: 9, speaker: "a"),
    ]
    // A person said who says the last segment.
    transcript.segments[2].speaker = SpeakerLabel(speaker: "b", basis: .person)
    for index in transcript.segments[2].words.indices {
      transcript.segments[2].candidates[0].words[index].speaker = "b"
    }
    #expect(
      document(.rttm, of: transcript) == """
        SPEAKER my_call.wav 1 0.500 2.500 <NA> <NA> Anna 0.910 <NA>
        SPEAKER my_call.wav 1 2.500 2.750 <NA> <NA> Ben_&_Co 0.400 <NA>
        SPEAKER my_call.wav 1 7.000 0.500 <NA> <NA> Anna <NA> <NA>
        SPEAKER my_call.wav 1 7.200 0.500 <NA> <NA> Ben_&_Co <NA> <NA>
        SPEAKER my_call.wav 1 7.800 1.200 <NA> <NA> Anna <NA> <NA>
        SPEAKER my_call.wav 1 8.000 1.000 <NA> <NA> Ben_&_Co <NA> <NA>

        """)
  }

  /// With the words, each has its speaker.
  @Test func jsonLinesSayWhoSpeaksInTheMiddle() {
    let first = document(.jsonl).split(separator: "\n").first { $0.contains("how are you") } ?? ""
    #expect(
      first.contains(
        #""parts": [{"start": 1, "end": 2.4, "speaker": "a", "text": "how are you"}, {"start": 2.5, "#))
    #expect(first.contains(#""speaker": "b", "text": "i am fine"}]"#))
    #expect(document(.jsonl).components(separatedBy: #""parts""#).count == 2)
    let words = TranscriptFormatter(format: .jsonl, wordTimestamps: true).string(for: Self.conversation)
    #expect(!words.contains(#""parts""#))
  }

  @Test func channelsAreColumnsOfCTM() {
    var transcript = Self.conversation
    transcript.segments = [Self.segment(0, 0, "one", ["a"]), Self.segment(1, 1, "two", ["b"], channel: 1)]
    let columns = document(.ctm, of: transcript).split(separator: "\n").map { $0.split(separator: " ")[1] }
    #expect(columns == ["1", "2"])
  }

  /// What people say at once stays on the screen at once.
  @Test func captionsOfTwoSpeakersMayOverlap() {
    var transcript = Self.conversation
    transcript.segments = [
      Self.segment(0, 0, "a long sentence of many words", ["a"]), Self.segment(1, 1, "yes indeed", ["b"]),
    ]
    let captions = CaptionWriter().captions(of: transcript)
    #expect(captions.map(\.speaker) == ["Anna", "Ben & Co"])
    #expect(captions[0].end > captions[1].start)
  }

  /// Two lines with dashes where both fit, else one after the other.
  @Test(arguments: [
    (
      CaptionOverlap.together,
      ["0–3000 Anna: a long sentence of many words", "1000–2000 Ben & Co: yes indeed"]
    ),
    (.dashes, ["0–3000 - Anna: a long sentence of many words/- Ben & Co: yes indeed"]),
    (.turns, ["0–1450 Anna: a long sentence of many words", "1450–2000 Ben & Co: yes indeed"]),
  ])
  func overlapIsShownAsChosen(_ way: CaptionOverlap, _ expected: [String]) throws {
    var transcript = Self.conversation
    transcript.segments = [
      Self.segment(0, 0, "a long sentence of many words", ["a"]), Self.segment(1, 1, "yes indeed", ["b"]),
    ]
    var formatter = TranscriptFormatter(format: .srt, layout: CaptionLayout(overlap: way), style: .words)
    #expect(try Self.captions(formatter.string(for: transcript)) == expected)
    formatter.format = .vtt
    let web = formatter.string(for: transcript)
    #expect(web.contains("<v Anna>- ") == (way == .dashes))
    #expect(web.components(separatedBy: "-->").count - 1 == expected.count)
  }

  /// The captions of a SubRip file: their times in milliseconds and their lines.
  private static func captions(_ text: String) throws -> [String] {
    try text.components(separatedBy: "\n\n").map { block in
      let lines = block.split(separator: "\n").map(String.init)
      let times = try lines[1].components(separatedBy: " --> ").map { clock in
        try clock.split(whereSeparator: { ":,".contains($0) }).reduce(0) { sum, part in
          let number = try #require(Int(part))
          return part.count == 3 ? sum * 1000 + number : sum * 60 + number
        }
      }
      return "\(times[0])–\(times[1]) " + lines.dropFirst(2).joined(separator: "/")
    }
  }

  @Test func captionNamesItsSpeakerWhereAnotherSpokeBefore() {
    var transcript = Self.conversation
    transcript.segments = [
      Self.segment(0, 0, "one two three", ["a"]), Self.segment(1, 5, "four five six", ["a"]),
      Self.segment(2, 10, "seven eight", ["b"]), Self.segment(3, 15, "nine ten", ["a"]),
    ]
    let lines = document(.srt, of: transcript).split(separator: "\n").filter {
      $0.contains(where: \.isLetter)
    }
    #expect(lines == ["Anna: one two three", "four five six", "Ben & Co: seven eight", "Anna: nine ten"])
  }

  /// Words are the same, in the same number, with every speaker.
  @Test(arguments: 0..<50 as Range<UInt64>) func divisionKeepsEveryWord(seed: UInt64) {
    let transcript = RandomTranscripts.conversation(seed: seed)
    let divided = transcript.dividedBySpeaker
    let starts = [divided, transcript].map { transcript in
      transcript.segments.flatMap(\.words).filter { !LineText.of($0.text).isEmpty }.map(\.start)
    }
    #expect(starts[0] == starts[1])
    let texts = [divided, transcript].map { $0.segments.map { LineText.of($0.text) }.joined(separator: " ") }
    #expect(texts[0].split(separator: " ") == texts[1].split(separator: " "))
    for segment in divided.segments { #expect(segment.start <= segment.end) }
  }
}
