import Foundation
import Longhand
import ScriptedSpeech
import SentenceFormatting
import Testing

@testable import LonghandArchive

@Suite struct StoreCandidateCodingTests {
  @Test(arguments: 0..<20)
  func truncatedOrExtendedDataIsRejected(seed: UInt64) {
    for segment in RandomTranscripts.transcript(seed: seed).segments {
      let data = CandidateCoding.data(segment.candidates)
      #expect(CandidateCoding.candidates(data) == segment.candidates)
      #expect((0..<data.count).allSatisfy { CandidateCoding.candidates(data.prefix($0)) == nil })
      #expect(CandidateCoding.candidates(data + [0]) == nil)
    }
    #expect(CandidateCoding.candidates(Data(repeating: 0xFF, count: 100)) == nil)
  }

  /// Texts that are equal strings of different bytes, and numbers that are no whole milliseconds.
  @Test func everyBitIsKept() throws {
    var words = [
      Word(text: "caf\u{E9}", start: 0.1 + 0.2, end: 0.30000000000000004, confidence: 0.1),
      Word(text: "cafe\u{301}", start: 1 / 3, end: 1e9, confidence: nil),
      Word(text: "", start: 0, end: 12.34, confidence: 0),
    ]
    words[0].voice = WordVoice(voicedFrames: 255)
    words[2].voice = WordVoice(voicedFrames: 0)
    words[1].marks = WordMarks(code: 75)
    words[2].marks = WordMarks(code: 1)
    let candidates = [
      Candidate(text: "caf\u{E9} cafe\u{301} ", words: words, confidence: nil),
      Candidate(text: "cafe\u{301} caf\u{E9} ", words: words.reversed(), confidence: 0.1, source: "beam"),
      Candidate(
        text: "Cafés, that is.", words: [words[2], words[0], words[0]], confidence: -0.0, source: "",
        language: "fr-FR"),
      Candidate(text: "", words: [], confidence: nil, language: "es"),
    ]
    let read = try #require(CandidateCoding.candidates(CandidateCoding.data(candidates)))
    #expect(read.map { Array($0.text.utf8) } == candidates.map { Array($0.text.utf8) })
    #expect(read.map(\.confidence?.bitPattern) == candidates.map(\.confidence?.bitPattern))
    #expect(read.map(\.source) == candidates.map(\.source))
    #expect(read.map(\.language) == candidates.map(\.language))
    let numbers: (Word) -> [UInt64?] = {
      [$0.start.bitPattern, $0.end.bitPattern, $0.confidence?.bitPattern]
    }
    #expect(read.flatMap(\.words).map(numbers) == candidates.flatMap(\.words).map(numbers))
    #expect(read.flatMap(\.words).map(\.voice) == candidates.flatMap(\.words).map(\.voice))
    #expect(read.flatMap(\.words).map(\.marks) == candidates.flatMap(\.words).map(\.marks))
    #expect(
      read.flatMap(\.words).map { Array($0.text.utf8) }
        == candidates.flatMap(\.words).map { Array($0.text.utf8) })
  }

  /// Damaged bytes are rejected, or are candidates; they never end the program.
  @Test(arguments: 0..<20) func changedDataHarmsNothing(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let segments = RandomTranscripts.transcript(seed: seed).segments
    for segment in segments {
      var data = CandidateCoding.data(segment.candidates)
      for _ in 0..<50 {
        data[Int.random(in: 1..<data.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        _ = CandidateCoding.candidates(data)
      }
    }
  }

  /// Five candidates of 15 words; they differ in one or two.
  @Test func candidatesTakeAQuarterOfWhatTheyHold() {
    let words = (0..<15).map { index in
      Word(
        text: "word\(index)", start: Double(index) * 0.33, end: Double(index + 1) * 0.33,
        confidence: 0.9 - Double(index) / 70)
    }
    let candidates = (0..<5).map { number in
      var changed = words
      if number > 0 { changed[number * 2].text = "other\(number)" }
      return Candidate(
        text: changed.map(\.text).joined(separator: " "), words: changed,
        confidence: 0.7 - Double(number) / 100)
    }
    let data = CandidateCoding.data(candidates)
    // The text and three numbers of each word, and the text of each candidate.
    let held = candidates.flatMap(\.words).map { $0.text.utf8.count + 24 }.reduce(0, +)
    let texts = candidates.map(\.text.utf8.count).reduce(0, +)
    #expect(data.count * 4 < held + texts)
  }
}
