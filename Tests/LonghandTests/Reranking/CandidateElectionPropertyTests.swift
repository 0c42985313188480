import Longhand
import TestSupport
import Testing

@Suite struct CandidateElectionPropertyTests {
  /// Random candidates are built from these phrases, so that many differ in what the selectors look for.
  private static let phrases = [
    "a", "two day", "two-day", "Two day", "high level", "high-level", "Villa", "Villanova", "New", "York",
    "you're off", "trek for", "track for", "Star", "years experience", "years' experience", "Robert",
    "Robertson", "beaten truck", "off the", "beaten track", "with baited", "with bated", "breath", "AI",
    "Villa Villanova", "you're off trek for", "with baited breath",
  ]

  /// Pairs of a phrase and the one that a selector usually prefers.
  private static let swaps = [
    ("two day", "two-day"), ("high level", "high-level"), ("Villa Villanova", "Villanova"),
    ("Robert", "Robertson"), ("you're off trek for", "you're off track for"),
    ("with baited breath", "with bated breath"), ("trek for", "track for"),
  ]

  private static func text(_ random: inout SeededGenerator) -> [String] {
    (0..<Int.random(in: 0...8, using: &random)).map { _ in
      Int.random(in: 0..<4, using: &random) == 0
        ? RandomTranscripts.word(&random) : phrases.randomElement(using: &random) ?? ""
    }
  }

  private static func candidates(_ random: inout SeededGenerator) -> [Candidate] {
    let base = text(&random)
    return (0..<Int.random(in: 1...10, using: &random)).map { _ in
      var words = Bool.random(using: &random) ? base : text(&random)
      if !words.isEmpty, Bool.random(using: &random) {
        let index = words.indices.randomElement(using: &random) ?? 0
        if Bool.random(using: &random) {
          words.remove(at: index)
        } else {
          words[index] = phrases.randomElement(using: &random) ?? ""
        }
      }
      if let (heard, meant) = swaps.randomElement(using: &random), let place = words.firstIndex(of: heard) {
        words[place] = meant
      }
      return .reading(
        words.joined(separator: " "), confidence: Double.random(in: 0...1, using: &random),
        isTimed: Bool.random(using: &random))
    }
  }

  /// A judge with random answers.
  private struct AnyAnswer: CandidateJudge {
    func choose(among candidates: [Candidate], context: String?) async throws -> Int? {
      let number = candidates.reduce(0) { $0 + $1.text.utf8.count }
      if number % 7 == 0 { throw CandidateJudgeError.refused }
      return number % 5 == 0 ? nil : number % 13 - 2
    }
  }

  @Test(arguments: 0..<(isSoak ? 25 : 4)) func chosenTextIsAlwaysACandidate(_ seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let local = CandidateReranker(policy: .conservative)
    let disabled = CandidateReranker(policy: .disabled, judge: AnyAnswer())
    for _ in 0..<200 {
      let candidates = Self.candidates(&random)
      let judged = CandidateReranker(policy: .conservative, judge: AnyAnswer(), clock: TestClock())
      let election = local.electLocally(candidates)
      let answers = [
        election, await judged.elect(candidates, after: ["before"]), await disabled.elect(candidates),
      ]
      for answer in answers {
        #expect(candidates.indices.contains(answer.selection.index))
        #expect(answer.selection.rule == answer.rule.rawValue)
        #expect((answer.selection.index == 0) == (answer.rule == .recognizer))
        let chosen = candidates[answer.selection.index]
        #expect(candidates[0].words.isEmpty || !chosen.words.isEmpty)
        #expect(answer.selection.index == 0 || !chosen.text.allSatisfy { $0.isWhitespace })
        #expect(Set(answer.previews.map(\.index)).count == answer.candidateCount)
      }
      #expect(answers[2].selection == .recognizer)
      // The choice is repeatable, and is kept when the chosen candidate is first.
      #expect(local.electLocally(candidates) == election)
      let again = await local.elect(candidates)
      #expect(again == election)
      var segment = Segment(id: 0, start: 0, end: 1, candidates: candidates)
      segment.selection = election.selection
      #expect(segment.candidates == candidates)
    }
  }

  @Test func randomCandidatesExerciseTheRules() {
    var random = SeededGenerator(seed: 1)
    let reranker = CandidateReranker(policy: .conservative)
    var rules: Set<RerankingRule> = []
    for _ in 0..<4000 { rules.insert(reranker.electLocally(Self.candidates(&random)).rule) }
    #expect(
      rules.isSuperset(of: [.recognizer, .editorialFormatting, .redundantName, .contextualPhrase]))
  }
}
