import Testing

@testable import Longhand

@Suite struct CandidateSelectorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var candidates: [String]
    /// The expected choice; nil for the first candidate.
    var chosen: Int?

    init(_ candidates: String..., chosen: Int? = nil) {
      (self.candidates, self.chosen) = (candidates, chosen)
    }

    var testDescription: String { candidates.joined(separator: " | ") }
  }

  private func check(_ selector: any CandidateSelector, _ example: Case) {
    let candidates = example.candidates.map { Candidate.reading($0) }
    #expect(selector.choose(among: CandidateWords.distinct(among: candidates)) == example.chosen)
    let election = CandidateReranker(policy: .conservative).electLocally(candidates)
    #expect(election.selection.index == example.chosen ?? 0)
    #expect(election.rule == (example.chosen == nil ? .recognizer : selector.rule))
    #expect(CandidateReranker(policy: .disabled).electLocally(candidates).selection == .recognizer)
  }

  @Test(arguments: [
    Case("a two day trip", "a two-day trip", chosen: 1),
    Case("a two day trip", "a too day trip", "a two-day trip", chosen: 2),
    Case("an entry level job", "an entry-level job", chosen: 1),
    Case("High level talks.", "High-level talks.", chosen: 1),
    Case("it was ai generated", "it was AI-generated", chosen: 1),
    Case("it was AI generated, he said", "it was AI-generated, he said", chosen: 1),
    Case("ten years experience", "ten years' experience", chosen: 1),
    Case("ten years experience", "ten years\u{2019} experience", chosen: 1),
    Case("a \"two day\" trip", "a \"two-day\" trip", chosen: 1),
    // The candidate with the most compounds.
    Case("two day high level talks", "two-day high level talks", "two-day high-level talks", chosen: 2),
  ])
  func listedCompoundsGetTheirPreferredSpelling(_ example: Case) {
    check(EditorialFormattingSelector(), example)
  }

  @Test(arguments: [
    Case("a three day trip", "a three-day trip"),
    Case("a well known man", "a well-known man"),
    Case("a two-day trip", "a two day trip"),
    Case("a two day trip", "a two-day trips"),
    Case("a two day trip", "the two-day trip"),
    Case("a two day trip", "a two-day trip."),
    Case("a two day trip", "A two-day trip"),
    Case("a two day trip", "a two-days trip"),
    Case("a two day trip", "a two-day"),
    Case("a two day", "a two-day trip"),
    Case("a two days trip", "a two-day trip"),
    Case("it was ai generated", "it was ai-generated"),
    Case("ten year's experience", "ten years' experience"),
    Case("ten years experiences", "ten years' experience"),
    Case("a two, day trip", "a two-day trip"),
    Case("a high level", "a high-level well-known"),
    Case("high levels", "high-level's"),
  ])
  func otherSpellingsAreKept(_ example: Case) { check(EditorialFormattingSelector(), example) }

  @Test(arguments: [
    Case("we met at Villa Villanova today", "we met at Villanova today", chosen: 1),
    Case("Villa Villanova", "Villanova", chosen: 1),
    Case("the Vila Villanova team", "the Villanova team", chosen: 1),
    Case("by Pheni Phenicia now", "by the Phenicia", "by Phenicia now", chosen: 2),
    Case("by Karta Cartagena now", "by a Cartagena", "by Cartagena now", chosen: 2),
  ])
  func redundantNameIsRemoved(_ example: Case) { check(RedundantNameSelector(), example) }

  @Test(arguments: [
    Case("in New York today", "in York today"),
    Case("the villa Villanova", "the Villanova"),
    Case("the villa villanova", "the villanova"),
    Case("Villa, Villanova", "Villanova"),
    Case("Villa Villanova", "Villa"),
    Case("Villa Villanova won", "Villanova lost"),
    Case("Villa Villanova", "villanova"),
    Case("Robert Robertson spoke", "Robertson spoke"),
    Case("Peter Peters spoke", "Peters spoke"),
    Case("William Williams spoke", "Williams spoke"),
    Case("John Johnson spoke", "Johnson spoke"),
    Case("Mark Markham spoke", "Markham spoke"),
    Case("in South Southampton", "in Southampton"),
    Case("Duran Duran played", "Duran played"),
    Case("An Andrew", "Andrew"),
    Case("Villanova Villa", "Villanova"),
    Case("Villanova", "Villa Villanova"),
  ])
  func realNamesAreKept(_ example: Case) { check(RedundantNameSelector(), example) }

  @Test(arguments: [
    Case("you're off trek for the deadline", "you're off track for the deadline", chosen: 1),
    Case("You're off. Trek for", "You're off. track for", chosen: 1),
    Case("you\u{2019}re off trek for it", "you are off", "you\u{2019}re off track for it", chosen: 2),
    Case("it is off the beaten truck", "it is off the beaten track", chosen: 1),
    Case("go off the road to a beaten truck", "go off the road to a beaten track", chosen: 1),
    Case("with baited breath", "with bated breath", chosen: 1),
  ])
  func phraseIsChosenByItsContext(_ example: Case) { check(ContextualPhraseSelector(), example) }

  @Test(arguments: [
    Case("you're off to Star Trek for fans", "you're off to Star track for fans"),
    Case("a trek for the deadline", "a track for the deadline"),
    Case("you're on trek for the deadline", "you're on track for the deadline"),
    Case("you're off trek for the deadline", "you're off track for a deadline"),
    Case("you're off track for the deadline", "you're off trek for the deadline"),
    Case("you're off trek to the deadline", "you're off track to the deadline"),
    Case("with baited hooks", "with bated hooks"),
    Case("a beaten truck", "a beaten track"),
    Case("you're off trek for", "you're off track"),
  ])
  func phraseWithoutContextIsKept(_ example: Case) { check(ContextualPhraseSelector(), example) }
}
