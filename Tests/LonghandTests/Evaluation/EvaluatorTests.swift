import Foundation
import Longhand
import Testing

@testable import LonghandVocabulary

@Suite struct EvaluatorTests {
  private func stm(_ text: String) throws -> ScoredText {
    try ScoredText.read(Data(text.utf8), format: .stm, file: "r")
  }
  private func ctm(_ text: String) throws -> ScoredText {
    try ScoredText.read(Data(text.utf8), format: .ctm, file: "h")
  }

  @Test func transcriptIsScoredWithAlternatives() {
    let clip = Evaluator(terms: ["Kimura"]).clip(
      name: "talk", reference: ScoredText(text: "Play the camera now. Yes!"), transcript: .sample,
      processingSeconds: 1.3)
    // The chosen text of the second segment, "R&B <3", is said as "R and B three".
    #expect(clip.wordErrorRate == WordErrorRate(substitutions: 2, insertions: 3, referenceWords: 5))
    #expect(clip.firstChoice == WordErrorRate(substitutions: 1, referenceWords: 5))
    #expect(clip.oracle == WordErrorRate(referenceWords: 5))
    #expect(clip.terms == TermScore(expected: 0, found: 1, correct: 0))
    #expect(clip.realTimeFactor == 0.2)
  }

  /// Without spaces between words, characters are counted.
  @Test(arguments: [
    ("我昨天和妈妈一起去了北京。", "我昨天 和妈妈一起去了南京", 12, 1), ("東京へ行く。", "東京へ行く", 5, 0),
    ("สวัสดีครับ", "สวัสดีครัน", 7, 1), ("我用 iPhone 拍照。", "我用iPhone拍照", 5, 0),
    ("она пришла", "она ушла", 2, 1),
  ])
  func errorsAreCountedByCharactersWhereThereAreNoSpaces(
    _ reference: String, _ hypothesis: String, _ words: Int, _ errors: Int
  ) {
    let report = Evaluator(terms: ["北京"], comparison: .exact).report(
      reference: ScoredText(text: reference), hypothesis: ScoredText(text: hypothesis))
    #expect(report.total.wordErrorRate.referenceWords == words)
    #expect(report.total.wordErrorRate.errors == errors)
    #expect(report.total.terms?.expected == (reference.contains("北京") ? 1 : 0))
    #expect(report.total.terms?.correct == 0)
  }

  @Test func noTermsGiveNoTermScore() {
    let clip = Evaluator().clip(name: "a", reference: ScoredText(text: ""), transcript: .empty)
    #expect(clip.terms == nil)
    #expect(clip.realTimeFactor == nil)
    #expect(clip.wordErrorRate.rate == 0)
  }

  @Test func ignoredPartsAreNotScored() throws {
    let reference = try stm("a 1 x 0 2 play the kimura now\na 1 x 4 5 ignore_time_segment_in_scoring")
    let clip = Evaluator().clip(name: "a", reference: reference, transcript: .sample)
    #expect(clip.wordErrorRate == WordErrorRate(referenceWords: 4))
    #expect(clip.oracle?.errors == 0)
  }

  @Test func plainTextsAreScored() {
    let report = Evaluator().report(
      reference: ScoredText(text: "One, two."), hypothesis: ScoredText(text: "one three"), name: "t")
    #expect(report.clips.map(\.name) == ["t"])
    #expect(report.total.wordErrorRate == WordErrorRate(substitutions: 1, referenceWords: 2))
    #expect(report.total.oracle == nil)
  }

  @Test func recordingsAreMatchedByName() throws {
    let reference = try stm("a 1 x 0 1 one two\nb 1 x 0 1 three\nc 1 x 0 1 IGNORE_TIME_SEGMENT_IN_SCORING")
    let hypothesis = try ctm(
      "b.wav 1 0 1 three\nd 1 0 1 four\na.wav 1 0.5 0.1 two\na.wav 1 0.1 0.1 one\nc 1 0.5 0.1 noise\n")
    let report = Evaluator().report(reference: reference, hypothesis: hypothesis)
    #expect(report.clips.map(\.name) == ["a", "b", "c", "d"])
    #expect(report.clips.map(\.wordErrorRate.errors) == [0, 0, 0, 1])
    #expect(report.total.wordErrorRate == WordErrorRate(insertions: 1, referenceWords: 3))
  }

  @Test func singleRecordingsMatchWhateverTheirNames() throws {
    let report = Evaluator().report(
      reference: try stm("talk 1 x 0 1 one"), hypothesis: try ctm("other 1 0 1 one"), name: "talk")
    #expect(report.clips.map(\.wordErrorRate.errors) == [0])
  }
}
