import Foundation
import Testing

@testable import Longhand

/// Spellings that are equal for scoring, and words that stay different.
@Suite struct SpellingRulesTests {
  private static func spoken(_ text: String) -> String {
    TextComparison.spoken.words(in: text).joined(separator: " ")
  }

  @Test(arguments: SpellingRules.rules) func ruleDoesWhatItsExampleSays(rule: SpellingRules.Rule) {
    #expect(Self.spoken(rule.text) == rule.result)
  }

  @Test(arguments: SpellingRules.rules) func ruleIsInTheTableOfTheDocument(rule: SpellingRules.Rule) throws {
    let file = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../docs/measurements.md").standardized
    let table = try String(contentsOf: file, encoding: .utf8)
    #expect(table.contains("| \(rule.name) | \(rule.text) | \(rule.result) |"))
  }

  /// What the rules write is not changed again.
  @Test(arguments: SpellingRules.rules) func resultIsStable(rule: SpellingRules.Rule) {
    #expect(Self.spoken(rule.result) == rule.result)
  }

  @Test(arguments: [
    ("0", "zero"), ("19", "nineteen"), ("20", "twenty"), ("99", "ninety nine"), ("100", "one hundred"),
    ("1000", "one thousand"), ("1100", "eleven hundred"), ("2009", "two thousand nine"),
    ("2024", "twenty twenty four"),
    ("12,000,000", "twelve million"), ("1000000", "one million"),
    ("1234567", "one two three four five six seven"),
    ("10:30:15", "ten thirty fifteen"), ("1,5", "one five"), ("1.2.3", "one point two point three"),
    ("1900s", "nineteen hundreds"), ("'90s", "nineties"), ("112th", "one hundred twelfth"),
    ("5km", "five km"),
    ("mp3", "mp3"), ("$1.5 million", "one point five million dollars"), ("$", ""), ("½", "½"),
    (
      "99999999999999999999",
      "nine nine nine nine nine nine nine nine nine nine nine nine nine nine nine nine nine nine nine nine"
    ),
  ]) func numberIsSpelledAsItIsSaid(text: String, expected: String) { #expect(Self.spoken(text) == expected) }

  @Test(arguments: [
    ("anyone", "any one"), ("fire place", "fireplace"), ("half-guard", "halfguard"),
    ("towns-people", "townspeople"),
    ("grey", "gray"), ("Catalogue", "catalog"), ("fulfil", "fulfill"), ("neighbouring", "neighboring"),
    ("analysed", "analyzed"), ("organisations", "organizations"), ("theatres", "theaters"),
    ("can not", "cannot"),
    ("all right", "alright"), ("Naïve", "naive"),
  ]) func differentSpellingsOfTheSameWordsAreEqual(text: String, other: String) {
    for (text, other) in [(text, other), (other, text)] {
      let report = Evaluator().report(reference: ScoredText(text: text), hypothesis: ScoredText(text: other))
      #expect(report.total.wordErrorRate.errors == 0)
    }
  }

  @Test(arguments: [
    ("a way", "away"), ("in to", "into"), ("it's", "it is"), ("for", "four"), ("hour", "our"),
    ("center", "enter"),
    ("five", "6"), ("one hundred", "100th"), ("learned", "learnt"), ("two and five", "two five"),
    ("mister", "missus"),
  ]) func differentWordsStayDifferent(text: String, other: String) {
    let report = Evaluator().report(reference: ScoredText(text: text), hypothesis: ScoredText(text: other))
    #expect(report.total.wordErrorRate.errors > 0)
  }

  @Test func exactComparisonCountsOtherSpellings() {
    let evaluator = Evaluator(comparison: .exact)
    let report = evaluator.report(
      reference: ScoredText(text: "Mister Gray has five."), hypothesis: ScoredText(text: "mr grey has 5"))
    #expect(report.total.wordErrorRate.errors == 3)
  }

  @Test func compoundThatTheReferenceWritesInBothWaysStays() {
    let words = SpellingRules().words(
      ["fire", "place"], compoundedAs: ["fireplace", "fire", "place"])
    #expect(words == ["fire", "place"])
  }

  /// A ctm has one word on each line, and rules about several words apply to them too.
  @Test func rulesApplyAcrossTheWordsOfACTM() throws {
    let hypothesis = try ScoredText.read(
      Data("a 1 0 1 two\na 1 1 1 hundred\na 1 2 1 and\na 1 3 1 five\n".utf8), format: .ctm, file: "h")
    let report = Evaluator().report(reference: ScoredText(text: "205"), hypothesis: hypothesis)
    #expect(report.total.wordErrorRate.errors == 0)
  }

  @Test func termIsFoundInAnotherSpelling() {
    let report = Evaluator(terms: ["grey colour"]).report(
      reference: ScoredText(text: "the grey colour"), hypothesis: ScoredText(text: "the gray color"))
    #expect(report.total.terms == TermScore(expected: 1, found: 1, correct: 1))
  }
}
