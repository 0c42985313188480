import Longhand
import Testing

@testable import LonghandTranscription

@Suite struct CandidateSelectorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var candidates: [String]
    /// The texts of the preceding segments.
    var preceding: [String]
    /// The expected choice; nil for the first candidate.
    var chosen: Int?

    init(_ candidates: String..., after preceding: [String] = [], chosen: Int? = nil) {
      (self.candidates, self.preceding, self.chosen) = (candidates, preceding, chosen)
    }

    var testDescription: String {
      (preceding + [candidates.joined(separator: " | ")]).joined(separator: " / ")
    }
  }

  private func check(_ selector: any CandidateSelector, _ example: Case) {
    let candidates = example.candidates.map { Candidate.reading($0) }
    let previous = CandidateWords.lastToken(of: example.preceding)
    let distinct = CandidateWords.distinct(among: candidates)
    #expect(selector.choose(among: distinct, after: previous) == example.chosen)
    let election = CandidateReranker(policy: .conservative).electLocally(candidates, after: example.preceding)
    #expect(election.selection.index == example.chosen ?? 0)
    #expect(election.rule == (example.chosen == nil ? .recognizer : selector.rule))
    #expect(CandidateReranker(policy: .disabled).electLocally(candidates).selection == .recognizer)
    // The rules are those of English.
    var foreign = candidates
    for index in foreign.indices { foreign[index].language = "de-DE" }
    let other = CandidateReranker(policy: .conservative).electLocally(foreign, after: example.preceding)
    #expect(other.selection == .recognizer)
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
    // Digits are spoken as words.
    Case("a 2 day trip", "a two-day trip", chosen: 1),
    Case("2 day", "two-day", chosen: 1),
    Case("at 5 a two day trip", "at five a two-day trip", chosen: 1),
    // A capital letter at the beginning and a mark at the end may come with it.
    Case("entry level tasks", "Entry-level tasks.", chosen: 1),
    Case("a two day trip", "a two-day trip.", chosen: 1),
    Case("a two day trip", "A two-day trip", chosen: 1),
    Case("a two day trip", "a two-day trip", "A two-day trip.", chosen: 2),
    Case("high level projects", "high level project", "High-level projects.", chosen: 2),
    // The candidate with the most compounds.
    Case("two day high level talks", "two-day high level talks", "two-day high-level talks", chosen: 2),
  ])
  func listedCompoundsGetTheirPreferredSpelling(_ example: Case) {
    check(PhraseSelector.compounds, example)
  }

  @Test(arguments: [
    Case("a three day trip", "a three-day trip"),
    Case("a well known man", "a well-known man"),
    Case("a two-day trip", "a two day trip"),
    Case("a two day trip", "a two-day trips"),
    Case("a two day trip", "the two-day trip"),
    Case("share cutting", "share-cutting"),
    Case("share cutting", "Share-cutting."),
    Case("A two day trip.", "a two-day trip"),
    Case("a two day trip", "A two day trip."),
    Case("a 3 day trip", "a three-day trip"),
    Case("a 2 day trip", "a three-day trip"),
    Case("a two day trip is at 5", "a two-day trip is at six"),
    Case("a two day trip to York", "a two-day trip to york"),
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
  func otherSpellingsAreKept(_ example: Case) { check(PhraseSelector.compounds, example) }

  @Test(arguments: [
    Case("we met at Villa Villanova today", "we met at Villanova today", chosen: 1),
    Case("Villa Villanova", "Villanova", chosen: 1),
    Case("Villa Villanova", "Villanova", after: ["we met at"], chosen: 1),
    Case("the Vila Villanova team", "the Villanova team", chosen: 1),
    Case("by Pheni Phenicia now", "by the Phenicia", "by Phenicia now", chosen: 2),
    Case("by Karta Cartagena now", "by a Cartagena", "by Cartagena now", chosen: 2),
  ])
  func redundantNameIsRemoved(_ example: Case) { check(RedundantNameSelector(), example) }

  @Test(arguments: [
    Case("in New York today", "in York today"),
    Case("New York", "York"),
    Case("New York", "York", after: ["we flew to"]),
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
    // The word before the segment decides.
    Case("trek for", "track for", after: ["you're off"], chosen: 1),
    Case(
      "Trek for it", "track of it", "Track for it", after: ["first", "You\u{2019}re off.", " "], chosen: 2),
    Case("check on the budget", "track on the budget", after: ["we are Off"], chosen: 1),
    Case("trek", "track", after: ["the project is off"], chosen: 1),
    Case("trek last week", "track last week", after: ["we went off"], chosen: 1),
  ])
  func phraseIsChosenByItsContext(_ example: Case) { check(PhraseSelector.contextual, example) }

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
    // Within a segment, "off" alone does not decide: it may be a note about hiking.
    Case("the project is off trek", "the project is off track"),
    Case("we went off trek last week", "we went off track last week"),
    Case("trek", "track", after: ["Star"]),
    Case("trek for", "track for"),
    Case("trek for", "track for", after: ["you're off", "the"]),
    Case("trek for", "track four", after: ["you're off"]),
    Case("track for", "trek for", after: ["you're off"]),
    Case("the trek for", "the track for", after: ["you're off"]),
  ])
  func phraseWithoutContextIsKept(_ example: Case) { check(PhraseSelector.contextual, example) }
}
