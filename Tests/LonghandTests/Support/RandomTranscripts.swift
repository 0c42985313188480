import Longhand
import SentenceFormatting

@testable import LonghandTranscripts

/// Transcripts as no recognizer would write them, though nothing forbids it.
enum RandomTranscripts {
  static let hostile = [
    "-->", "--->", "00:00:01,000 --> 00:00:02,000", "1", "<b>", "</b>", "<00:00:01.000>", "&amp;", "&", "\"",
    "\"\"",
    "'", "\\", "\\n", "{", "}", "NOTE", "STYLE", "WEBVTT", "[00:00:00]", "# a", "*b*", "tab\there",
    "line\nend", "\r\n",
    "nul\u{0}", "bell\u{7}", "\u{85}", "\u{2028}", "\u{2029}", "\u{FEFF}", "שלום", "مرحبا", "\u{202E}abc",
    "👩‍👩‍👧‍👦", "🇨🇭",
    "e\u{301}", "日本語", ";;", "<ALT>", String(repeating: "long", count: 60), "", " ", "  two  spaces  ",
  ]

  static func transcript(seed: UInt64) -> Transcript {
    var random = SeededGenerator(seed: seed)
    var position = 0.0
    let segments = (0..<Int.random(in: 0...12, using: &random)).map { index in
      // Some begin before the last one ended, some last no time.
      position = max(0, position + Double.random(in: -0.3...3, using: &random))
      let start = position
      let words = (0..<Int.random(in: 0...14, using: &random)).map { _ in
        let start = position
        position += Bool.random(using: &random) ? Double.random(in: 0...0.8, using: &random) : 0
        var spoken = Word(
          text: word(&random), start: start, end: position,
          confidence: Double.random(in: 0...1, using: &random))
        if seed % 3 == 1 { spoken.marks = WordMarks(code: Int(position * 1000) % 90) }
        if seed % 2 == 1 { spoken.voice = WordVoice(voicedFrames: UInt8(Int(position) % 31)) }
        return spoken
      }
      var text = words.map(\.text).joined(separator: " ")
      if Int.random(in: 0..<5, using: &random) == 0 { text += " and " + word(&random) }
      let chosen = Candidate(text: text, words: words, confidence: Double.random(in: 0...1, using: &random))
      let others = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Candidate(text: word(&random), words: [], confidence: Double.random(in: 0...1, using: &random))
      }
      return Segment(id: index, start: start, end: position, candidates: [chosen] + others)
    }
    let duration = position + Double.random(in: 0...2, using: &random)
    let warnings = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      TranscriptWarning(
        code: TranscriptWarning.Code.allCases.randomElement(using: &random) ?? .damaged,
        message: "a" + word(&random), start: duration / 3, end: duration / 2)
    }
    var transcript = Transcript(
      source: word(&random), locale: "en-US", engine: "analyzer", duration: duration, segments: segments,
      coverage: Coverage(transcribed: duration), statedDuration: warnings.isEmpty ? nil : 2 * duration,
      warnings: warnings)
    if Bool.random(using: &random) {
      let known = VoiceAnalytics(
        speakingRate: 151.234567, averagePause: 0.2, pitch: 118.71, jitter: 1.1, shimmer: 0.9, voicing: 0.5)
      let unknown = VoiceAnalytics(speakingRate: 0, averagePause: 0)
      transcript.voice = TranscriptVoice(
        whole: known, segments: segments.map { $0.words.isEmpty ? unknown : known })
    }
    return transcript
  }

  /// The same, with speakers.
  static func conversation(seed: UInt64) -> Transcript {
    var transcript = transcript(seed: seed)
    var random = SeededGenerator(seed: seed)
    transcript.addSpeakers(with: &random)
    return transcript
  }

  static func word(_ random: inout SeededGenerator) -> String {
    if Int.random(in: 0..<3, using: &random) == 0 { return hostile.randomElement(using: &random) ?? "" }
    let letters = (0..<Int.random(in: 1...9, using: &random)).map { _ in
      "abcdefghij".randomElement(using: &random)
    }
    return String(letters.compactMap { $0 })
  }
}

extension Transcript {
  /// Gives two speakers to the words at random, some of them unknown.
  fileprivate mutating func addSpeakers(with random: inout SeededGenerator) {
    speakers = [
      Speaker(id: "channel1", name: "Anna", basis: .channel, seconds: 1),
      Speaker(id: "voice1", name: "Ben <b> & \"C\" --> d", basis: .voice, seconds: 2),
    ]
    let ids: [String?] = speakers.map(\.id) + [nil]
    for index in segments.indices {
      let speaker = ids.randomElement(using: &random) ?? nil
      segments[index].speaker = speaker.map { SpeakerLabel(speaker: $0, basis: .voice, confidence: 0.5) }
      for word in segments[index].words.indices {
        let isOther = Int.random(in: 0..<6, using: &random) == 0
        segments[index].candidates[0].words[word].speaker =
          isOther ? ids.randomElement(using: &random) ?? nil : speaker
      }
    }
  }

  /// A quiet, ordinary transcript.
  static let sample = Transcript(
    source: "folder/my talk.wav", locale: "en-US", engine: "analyzer", duration: 6.5,
    segments: [
      Segment(
        id: 0, start: 0.48, end: 2.2,
        candidates: [
          Candidate(
            text: "Play the \"Kimura\" now",
            words: [
              Word(text: "play", start: 0.5, end: 0.8, confidence: 0.97),
              Word(text: "the", start: 0.8, end: 0.9, confidence: 0.5),
              Word(text: "kimura", start: 1.0, end: 1.5, confidence: 0.33333),
              Word(text: "now", start: 1.6, end: 2.2, confidence: 1),
            ], confidence: 0.91),
          Candidate(text: "play the camera now", words: [], confidence: 0.05),
        ]),
      Segment(
        id: 1, start: 4.0005, end: 5,
        candidates: [
          Candidate(text: "yes", words: [], confidence: 0.2),
          Candidate(
            text: "R&B <3",
            words: [
              Word(text: "R&B", start: 4.1, end: 4.5, confidence: 0.7),
              Word(text: "<3", start: 4.5, end: 5, confidence: 0.6),
            ], confidence: 0.1),
        ], selection: Segment.Selection(index: 1, rule: "context"), revision: 1),
    ],
    coverage: Coverage(transcribed: 2.72, silent: 3.78))

  /// A recording in which nothing was said.
  static let empty = Transcript(
    source: "empty.wav", locale: "en-US", engine: "analyzer", duration: 0, segments: [], coverage: Coverage())
}
