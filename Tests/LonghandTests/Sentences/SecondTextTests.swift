import Foundation
import Longhand
import SentenceFormatting
import Testing

@testable import LonghandTranscripts

/// The second text in sentences.
@Suite struct SecondTextTests {
  /// The first text, in sentences; the vocabulary's second text in sentences.
  @Test(arguments: [
    (
      "the when our is good we like it", "The when our is good. We like it.",
      "The Winawer is good. We like it."
    ),
    (
      "when our is good so is when our", "When our is good. So is when our.",
      "Winawer is good. So is Winawer."
    ),
    ("night takes", "Night takes.", "Knight takes."),
    ("we saw a bishop", "We saw a bishop.", "We saw a bishop."),
    ("so night, he said", "So night, he said.", "So knight, he said."), ("a", "Something else", "a"),
  ])
  func secondTextIsWrittenInSentences(_ text: String, _ written: String, _ expected: String) {
    var vocabulary = Vocabulary(name: "chess")
    vocabulary.corrections = [
      .init(recognized: "when our", text: "Winawer"), .init(recognized: "night", text: "knight"),
    ]
    let normalized = TranscriptNormalizer(vocabulary).normalizeLocally(text)
    #expect(normalized.written(as: written, of: text) == expected)
    // A model's own marks stay.
    let marked = NormalizedTranscript(text: "Written. By a model")
    #expect(marked.written(as: written, of: text) == "Written. By a model")
  }

  @Test(arguments: [TranscriptFormat.txt, .md, .json]) func documentsHaveSentences(_ format: TranscriptFormat)
  {
    let words = ["we", "play", "when", "our"].enumerated().map {
      Word(text: $1, start: Double($0), end: Double($0) + 1, confidence: 0.9)
    }
    let segment = Segment(
      id: 0, start: 0, end: 4,
      candidates: [Candidate(text: "we play when our", words: words, confidence: 0.9)])
    var vocabulary = Vocabulary(name: "chess")
    vocabulary.corrections = [.init(recognized: "when our", text: "Winawer")]
    let transcript = Transcript(
      source: "a.wav", locale: "en-US", engine: "analyzer", duration: 4, segments: [segment],
      coverage: Coverage(), normalized: TranscriptNormalizer(vocabulary).normalizeLocally(segment.text))
    let text = TranscriptFormatter(format: format).string(for: transcript)
    #expect(text.contains("We play Winawer."))
  }

  // MARK: Speakers and echoes

  /// A segment of words of a third of a second, in which the first words are echoes and the others have a speaker.
  private static func segment(
    _ words: [String], echoes: Int = 0, speakers: [String?] = ["a"], id: Int = 0
  ) -> Segment {
    let start = Double(id) * 10
    let timed = words.enumerated().map { index, text in
      var word = Word(
        text: text, start: start + Double(index) / 3, end: start + Double(index + 1) / 3, confidence: 0.5)
      word.isEcho = index < echoes
      word.speaker = index < echoes ? nil : speakers[min(index, speakers.count - 1)]
      word.speakerConfidence = word.speaker.map { _ in 0.9 }
      return word
    }
    var segment = Segment(
      id: id, start: start, end: start + Double(words.count) / 3,
      candidates: [Candidate(text: words.joinedWords(), words: timed, confidence: 0.5)], channel: 0)
    segment.speaker = speakers[0].map { SpeakerLabel(speaker: $0, basis: .voice, confidence: 0.9) }
    return segment
  }

  /// The second text with other words in place of some.
  private static func second(
    _ changes: [(from: String, to: String)], of text: String
  ) throws -> NormalizedTranscript {
    var (result, position) = (NormalizedTranscript(text: ""), text.startIndex)
    for change in changes {
      let place = try #require(text.range(of: change.from, range: position..<text.endIndex))
      result.text += text[position..<place.lowerBound]
      let start = text.utf8.distance(from: text.startIndex, to: place.lowerBound)
      let target = result.text.utf8.count
      result.text += change.to
      result.spans.append(
        .init(
          provenance: .declaredCorrection, source: start..<start + change.from.utf8.count,
          target: target..<target + change.to.utf8.count, original: change.from, text: change.to))
      position = place.upperBound
    }
    result.text += text[position...]
    result.occurrences = result.spans.map { .init(term: $0.text, source: $0.source) }
    return result
  }

  private static func transcript(_ segments: [Segment], _ locale: String = "en-US") -> Transcript {
    var transcript = Transcript(
      source: "call.wav", locale: locale, engine: "analyzer", duration: 30, segments: segments,
      coverage: Coverage())
    transcript.speakers = [
      Speaker(id: "a", name: "Anna", basis: .voice, seconds: 2),
      Speaker(id: "b", name: "Ben", basis: .voice, seconds: 2),
    ]
    return transcript
  }

  /// The words, of which the first two are echoes; changes of them; and what readers see.
  private static let calls: [(words: [String], changes: [(from: String, to: String)], text: String)] = [
    (["weasels", "have", "five", "six", "slabs", "of"], [("slabs of", "Slabz Off")], "five six Slabz Off"),
    (
      ["weasels", "have", "five", "six", "slabs", "of"], [("weasels", "badgers"), ("five", "Fiver")],
      "Fiver six slabs of"
    ),
    (["Yes.", "Well,", "we", "saw", "kimora."], [("kimora", "Kimura")], "we saw Kimura."),
    (
      ["Ja,", "gut.", "Wir", "essen", "Apfel", "Strudel."], [("Apfel Strudel", "Apfelstrudel")],
      "Wir essen Apfelstrudel."
    ),
    (["你好", "吗", "扎", "自己", "的", "脚"], [("扎", "炸")], "炸自己的脚"),
  ]

  @Test(arguments: Self.calls.indices) func echoesMoveNoSecondText(_ number: Int) throws {
    let (words, changes, text) = Self.calls[number]
    let segment = Self.segment(words, echoes: 2)
    let second = try Self.second(changes, of: segment.text)
    let shown = Self.transcript([segment]).inSecondText([0: second])
    #expect(shown.withoutEcho.segments.map(\.text) == [text])
    // Also what replaces an echo is one.
    #expect(shown.segments[0].words.prefix { $0.isEcho }.count == 2)
    #expect(second.withoutEcho(of: [segment]).text == text)
  }

  /// An echo between the segments, and one in the middle of the whole text.
  @Test(arguments: [TextStyle.words, .sentences]) func documentsHaveSecondTextWithoutEchoes(
    _ style: TextStyle
  ) throws {
    let segments = [
      Self.segment(["we", "play", "when", "our"]),
      Self.segment(["we", "play"], echoes: 2, id: 1),
      Self.segment(["when", "our", "night", "takes"], echoes: 2, id: 2),
    ]
    var transcript = Self.transcript(segments)
    let second = try Self.second(
      [("when our", "Winawer"), ("when our", "Winawer"), ("night", "knight")],
      of: segments.map(\.text).joined(separator: " "))
    transcript.normalized = second
    let rest = try #require(transcript.withoutEcho.normalized)
    #expect(rest.text == "we play Winawer knight takes")
    #expect(rest.spans.map(\.source) == [8..<16, 17..<22])
    #expect(rest.spans.map(\.target) == [8..<15, 16..<22])
    #expect(rest.extractedTerms == ["Winawer", "knight"])
    for format in [TranscriptFormat.txt, .md, .html] {
      var formatter = TranscriptFormatter(format: format, style: style)
      let document = formatter.string(for: transcript).lowercased()
      #expect(document.components(separatedBy: "winawer").count == 3, "\(document)")
      #expect(document.contains("knight takes"))
      formatter.hasEcho = true
      let whole = formatter.string(for: transcript).lowercased()
      #expect(whole.components(separatedBy: "winawer").count > 3)
    }
  }

  @Test(arguments: [
    (["we", "play", "when", "our"], "when our", "Winawer"),
    (["Wir", "essen", "Apfel", "Strudel."], "Apfel Strudel", "Apfelstrudel"),
    (["扎", "自己", "的", "脚"], "扎", "炸"),
  ]) func secondTextKeepsWhoSpeaks(_ words: [String], _ from: String, _ to: String) throws {
    let segment = Self.segment(words)
    let second = try Self.second([(from, to)], of: segment.text)
    let shown = Self.transcript([segment]).inSecondText([0: second])
    #expect(shown.segments[0].text == segment.text.replacingOccurrences(of: from, with: to))
    #expect(shown.segments[0].words.allSatisfy { $0.speaker == "a" })
    #expect(shown.segments[0].words.allSatisfy { $0.speakerConfidence == 0.9 })
    #expect(!TranscriptFormatter(format: .txt).string(for: shown).contains("Unknown"))
  }

  @Test func wordsOfTwoSpeakersBecomeNoWord() throws {
    let segment = Self.segment(["we", "play", "when", "our"], speakers: ["a", "a", "a", "b"])
    let second = try Self.second([("play", "Play"), ("when our", "Winawer")], of: segment.text)
    let shown = Self.transcript([segment]).inSecondText([0: second]).segments[0]
    #expect(shown.text == "we Play when our")
    #expect(shown.words.map(\.speaker) == ["a", "a", "a", "b"])
  }

  @Test(arguments: [
    (["my", "kimora/armbarr", "now"], "kimora", "Kimura", "armbarr", "Armbar", "my Kimura/Armbar now"),
    (["Ein", "Kimora/Armbarr."], "Kimora", "Kimura", "Armbarr", "Armbar", "Ein Kimura/Armbar."),
    (["去", "卡穆拉/十字固"], "卡穆拉", "木村锁", "十字固", "臂锁", "去木村锁/臂锁"),
  ]) func changesInOneWordAreBothMade(
    _ words: [String], _ first: String, _ firstNew: String, _ last: String, _ lastNew: String,
    _ text: String
  ) throws {
    let segment = Self.segment(words)
    let second = try Self.second([(first, firstNew), (last, lastNew)], of: segment.text)
    let shown = Self.transcript([segment]).inSecondText([0: second]).segments[0]
    #expect(shown.text == text)
    #expect(shown.words.count == words.count)
  }
}
