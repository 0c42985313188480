@testable import RecognitionCore
import CoreMedia
import Foundation
import Testing

@testable import Speech

@Suite struct TranscriptComposerTests {
  private let all = TranscriptComposer.Options(
    reportsVolatile: true, reportsAlternatives: true, marksTimes: true, marksConfidence: true)

  private func words(_ text: String, from start: Double, confidence: Double = 0) -> [RecognizedWord] {
    text.split(separator: " ").enumerated().map { index, word in
      RecognizedWord(
        text: String(word), start: start + Double(index) * 0.5, end: start + Double(index) * 0.5 + 0.5,
        confidence: confidence)
    }
  }

  private func utterance(_ start: Double, _ end: Double, _ texts: [String]) -> RecognizedUtterance {
    RecognizedUtterance(
      audio: UtteranceAudio(
        start: Int(start * 16_000), samples: [Int16](repeating: 0, count: Int((end - start) * 16_000))),
      candidates: texts.map {
        RecognizedCandidate(words: words($0, from: start, confidence: 0.75), confidence: 0.5)
      })
  }

  private func text(_ output: TranscriptComposer.Output?) -> String? {
    (output?.alternatives.first).map { String($0.characters) }
  }

  private func range(_ output: TranscriptComposer.Output?) -> [Double]? {
    output.map { [$0.range.start.seconds, $0.range.end.seconds] }
  }

  @Test func finalResultsLeaveNoGapsAndStartWithASpace() throws {
    var composer = TranscriptComposer(options: all, start: 0)
    let first = composer.finalize(utterance(1, 2, ["go on"]))
    let silent = composer.finalize(utterance(3, 4, []))
    let second = composer.finalize(utterance(5, 7, ["ten meters", "then meters", "ten meters"]))
    #expect(text(first) == "go on")
    #expect(range(first) == [0, 2])
    #expect(silent == nil)
    #expect(text(second) == " ten meters")
    #expect(range(second) == [2, 7])
    #expect(second?.alternatives.map { String($0.characters) } == [" ten meters", " then meters"])
    let last = try #require(second)
    #expect(last.finalizationTime >= last.range.end)
  }

  /// Programs for Apple's frameworks get no result without text; Longhand asks for it.
  @Test func rejectedWordsAndSpeechWithoutWordsComeWithAnEmptyTextOnRequest() throws {
    var rejected = utterance(1, 3, [])
    rejected.rejected = words("the the", from: 1.5)
    var plain = TranscriptComposer(options: all, start: 0)
    #expect(plain.finalize(rejected) == nil)
    var options = all
    options.reportsUtterances = true
    var composer = TranscriptComposer(options: options, start: 0)
    let result = composer.finalize(rejected)
    let output = try #require(result)
    #expect(output.alternatives.map { String($0.characters) } == [""])
    #expect(output.utterance?.candidates.isEmpty == true)
    #expect(output.utterance?.rejected.map(\.text) == ["the", "the"])
    #expect(output.utterance?.rejected.first?.start == 1.5)
    #expect(composer.finalize(utterance(3, 4, [])) == nil)
    var wordless = utterance(4, 5, [])
    wordless.speech = [4.2...4.9]
    #expect(composer.finalize(wordless)?.utterance?.speech == [4.2...4.9])
    #expect(text(composer.finalize(utterance(5, 6, ["go on"]))) == "go on")
  }

  /// What Longhand reads must be what programs for Apple's frameworks read.
  @Test(arguments: [false, true]) func utterancesHaveTheWordsOfTheText(_ isDictation: Bool) throws {
    var options = all
    options.reportsUtterances = true
    options.redacts = true
    options.style = TranscriptionStyle(addsSentenceMarks: isDictation, writesSpokenMarks: isDictation)
    var composer = TranscriptComposer(options: options, start: 0)
    var said = utterance(0, 4.00001, ["go on comma damn it", "go on shit", "go on comma damn it"])
    said.candidates[1].source = .beam
    let result = composer.finalize(said)
    let output = try #require(result)
    let utterance = try #require(output.utterance)
    #expect(utterance.audio.samples.isEmpty)
    #expect(utterance.candidates.map(\.source) == [.best, .beam])
    #expect(utterance.candidates.map(\.text) == output.alternatives.map { String($0.characters) })
    for (candidate, text) in zip(utterance.candidates, output.alternatives) {
      let runs = text.runs.filter { $0.audioTimeRange != nil }
      #expect(
        candidate.words.map(\.text)
          == runs.map { String(text[$0.range].characters.filter { !$0.isWhitespace }) })
      #expect(candidate.words.map(\.start) == runs.map { $0.audioTimeRange?.start.seconds })
      #expect(candidate.words.map(\.end) == runs.map { $0.audioTimeRange?.end.seconds })
      #expect(candidate.words.map(\.confidence) == runs.map(\.transcriptionConfidence))
    }
    var plain = TranscriptComposer(options: all, start: 0)
    #expect(plain.finalize(said)?.utterance == nil)
  }

  @Test func volatileResultReplacesTheOneBefore() throws {
    var composer = TranscriptComposer(options: all, start: 0)
    _ = composer.finalize(utterance(0, 1, ["one two"]))
    let long = composer.update(words("three four five", from: 1.5))
    let short = composer.update(words("free", from: 1.5))
    #expect(text(long) == " three four five")
    #expect(range(long) == [1, 3])
    #expect(text(short) == " free")
    #expect(range(short) == [1, 3])
    let draft = try #require(short)
    #expect(draft.finalizationTime < draft.range.end)
    let nothing = composer.finalize(utterance(1.4, 3.2, []))
    #expect(text(nothing) == "")
    #expect(range(nothing) == [1, 3.2])
    let later = composer.finalize(through: 64_000)
    #expect(later == nil)
  }

  @Test func wordsHaveTimesAndFinalWordsHaveConfidence() throws {
    var composer = TranscriptComposer(options: all, start: 0)
    let updated = composer.update(words("go forward", from: 1))
    let draft = try #require(updated?.alternatives.first)
    #expect(draft.runs.map { $0.audioTimeRange?.start.seconds } == [1, 1.5])
    #expect(draft.runs.allSatisfy { $0.transcriptionConfidence == nil })
    let finalized = composer.finalize(utterance(1, 2, ["go forward"]))
    let final = try #require(finalized?.alternatives.first)
    #expect(final.runs.map { $0.transcriptionConfidence } == [0.75, 0.75])
    #expect(final.runs[\.audioTimeRange].map { $0.0?.end.seconds } == [1.5, 2])
    var plain = TranscriptComposer(options: .init(), start: 0)
    let unreported = plain.update(words("go", from: 0))
    #expect(unreported == nil)
    let bare = plain.finalize(utterance(0, 1, ["go on", "no"]))
    #expect(bare?.alternatives == [AttributedString("go on")])
  }

  @Test func dictationContinuesInTheMiddleOfASentence() {
    let style = TranscriptionStyle(addsSentenceMarks: true, writesSpokenMarks: true)
    var composer = TranscriptComposer(options: .init(style: style), start: 0)
    let first = composer.finalize(utterance(0, 1, ["i said"]))
    let second = composer.finalize(utterance(1, 3, ["yes comma"]))
    let third = composer.finalize(utterance(3, 4, ["why question mark"]))
    #expect([first, second, third].map(text) == ["I said", " yes,", " why?"])
  }

  @Test func coarseWordsAreRedacted() {
    var composer = TranscriptComposer(options: .init(redacts: true), start: 0)
    let result = composer.finalize(utterance(0, 2, ["holy shit dickens"]))
    #expect(text(result) == "holy s*** dickens")
  }
}
