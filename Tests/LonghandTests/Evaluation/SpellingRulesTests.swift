import Foundation
import Longhand
import Testing

@testable import LonghandVocabulary

/// Spellings that are equal for scoring, and words that stay different.
@Suite struct SpellingRulesTests {
  /// A rule with an example.
  struct Rule: Sendable {
    /// What the rule is about.
    var name: String
    /// A text.
    var text: String
    /// What the rules make of the text.
    var result: String
  }

  /// All rules, each with an example.
  static let rules = [
    Rule(
      name: "numbers", text: "1,250 men in 2005",
      result: "one thousand two hundred fifty men in two thousand five"),
    Rule(name: "years", text: "from 1803 to 1990", result: "from eighteen o three to nineteen ninety"),
    Rule(name: "decades", text: "the 1980s", result: "the nineteen eighties"),
    Rule(name: "ordinal numbers", text: "the 21st", result: "the twenty first"),
    Rule(name: "decimal numbers", text: "3.14", result: "three point one four"),
    Rule(name: "times of day", text: "10:05 or 10:00 or 7am", result: "ten o five or ten or seven am"),
    Rule(
      name: "long numbers, digit by digit", text: "007 5551234",
      result: "zero zero seven five five five one two three four"),
    Rule(name: "\"and\" within a number", text: "two hundred and five", result: "two hundred five"),
    Rule(
      name: "amounts of money", text: "$5, £1 or €2.50", result: "five dollars one pound or two euros fifty"),
    Rule(name: "symbols", text: "5% & more", result: "five percent and more"),
    Rule(
      name: "abbreviations", text: "Mr., Mrs. and Dr. Gray vs. St. John",
      result: "mister missus and doctor gray versus saint john"),
    Rule(
      name: "British spelling", text: "colour, centre, realise, travelled",
      result: "color center realize traveled"),
    Rule(
      name: "older spelling", text: "to-day, good-bye, for ever, shew", result: "today goodbye forever show"),
    Rule(name: "accents", text: "café", result: "cafe"),
    Rule(name: "interjections", text: "oh, okay", result: "o ok"),
    Rule(name: "hesitations, which are left out", text: "uh, well, hmm", result: "well"),
  ]

  private static func spoken(_ text: String) -> String {
    TextComparison.spoken.words(in: text).joined(separator: " ")
  }

  @Test(arguments: Self.rules) func ruleDoesWhatItsExampleSays(rule: Rule) {
    #expect(Self.spoken(rule.text) == rule.result)
  }

  @Test(arguments: Self.rules) func ruleIsInTheTableOfTheDocument(rule: Rule) throws {
    let file = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../docs/measurements.md").standardized
    let table = try String(contentsOf: file, encoding: .utf8)
    #expect(table.contains("| \(rule.name) | \(rule.text) | \(rule.result) |"))
  }

  /// What the rules write is not changed again.
  @Test(arguments: Self.rules) func resultIsStable(rule: Rule) {
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
