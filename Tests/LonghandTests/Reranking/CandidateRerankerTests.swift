import Longhand
import Testing

@testable import LonghandTranscription

@Suite struct CandidateRerankerTests {
  private let two = [Candidate].readings("night takes bishop", "knight takes bishop")

  @Test func judgesChoiceIsUsed() async {
    let judge = ScriptedJudge(.index(1), .index(0))
    let reranker = CandidateReranker(policy: .conservative, judge: judge, clock: TestClock())
    let election = await reranker.elect(two, after: ["a chess game"])
    #expect(election.selection == Segment.Selection(index: 1, rule: "language-model", judgement: .answered))
    #expect(election.judgement == .answered)
    #expect(
      judge.questions == [.init(texts: two.map(\.text), confidences: [0.2, 0.8], context: "a chess game")])
    let confirmed = await reranker.elect(two)
    #expect(confirmed.selection.index == 0)
    #expect(confirmed.rule == .recognizer)
    #expect(confirmed.judgement == .answered)
    #expect(judge.questions.last?.context == nil)
  }

  @Test(arguments: [
    (ScriptedJudge.Answer.index(2), CandidateSelectionRecord.Judgement.unreadable), (.index(-1), .unreadable),
    (.index(.max), .unreadable), (.index(nil), .undecided), (.failure, .failed),
  ])
  func unusableAnswerKeepsTheFirstCandidate(
    _ answer: ScriptedJudge.Answer, _ judgement: CandidateSelectionRecord.Judgement
  ) async {
    let reranker = CandidateReranker(
      policy: .conservative, judge: ScriptedJudge(answer), clock: TestClock())
    let election = await reranker.elect(two)
    #expect(election.selection.index == 0)
    #expect(election.rule == .recognizer)
    #expect(election.judgement == judgement)
  }

  @Test func refusedQuestionIsAskedAgainWithoutContext() async {
    let judge = ScriptedJudge(.refusal, .index(1))
    let reranker = CandidateReranker(policy: .conservative, judge: judge, clock: TestClock())
    let election = await reranker.elect(two, after: ["before"])
    #expect(election.selection.index == 1)
    #expect(judge.questions.map(\.context) == ["before", nil])
  }

  @Test func secondRefusalKeepsTheFirstCandidate() async {
    let judge = ScriptedJudge(.refusal, .refusal, .index(1))
    let reranker = CandidateReranker(policy: .conservative, judge: judge, clock: TestClock())
    let election = await reranker.elect(two, after: ["before"])
    #expect(election.selection.index == 0)
    #expect(election.rule == .recognizer)
    #expect(election.judgement == .refused)
    #expect(judge.questions.count == 2)
    // Without context, there is no second question.
    let alone = ScriptedJudge(.refusal, .index(1))
    let other = await CandidateReranker(policy: .conservative, judge: alone, clock: TestClock()).elect(two)
    #expect(other.selection.index == 0)
    #expect(other.rule == .recognizer)
    #expect(alone.questions.count == 1)
  }

  @Test func hangingJudgeDoesNotBlockAndIsNotAskedAgain() async {
    let judge = ScriptedJudge(.hang, .index(1))
    let clock = TestClock()
    let reranker = CandidateReranker(policy: .conservative, judge: judge, clock: clock)
    async let late = reranker.elect(two)
    await clock.untilSleeping()
    clock.advance(by: .seconds(2))
    let election = await late
    #expect(election.selection.index == 0)
    #expect(election.rule == .recognizer)
    #expect(election.judgement == .timedOut)
    for _ in 0..<100 {
      let next = await reranker.elect(two)
      #expect(next.selection.index == 0)
      #expect(next.rule == .recognizer)
      #expect(next.judgement == .busy)
    }
    // It may be cancelled before the question.
    #expect(judge.questions.count <= 1)
    #expect(clock.sleeperCount == 0)
  }

  @Test func deadlineIsTheGivenOne() async {
    let clock = TestClock()
    let judge = ScriptedJudge(.hang)
    let reranker = CandidateReranker(
      policy: .conservative, judge: judge, deadline: .milliseconds(300), clock: clock)
    async let late = reranker.elect(two)
    await clock.untilSleeping()
    clock.advance(by: .milliseconds(299))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    let election = await late
    #expect(election.judgement == .timedOut)
    judge.release()
  }

  @Test func cancelledQuestionReturnsAtOnce() async {
    let judge = ScriptedJudge(.hang)
    let clock = TestClock()
    let reranker = CandidateReranker(policy: .conservative, judge: judge, clock: clock)
    let task = Task { await reranker.elect(two) }
    await clock.untilSleeping()
    task.cancel()
    let election = await task.value
    #expect(election.selection.index == 0)
    #expect(election.rule == .recognizer)
    #expect(election.judgement == .cancelled)
    judge.release()
  }

  @Test func judgeIsNotAskedWithoutAChoice() async {
    let judge = ScriptedJudge(.index(1), .index(1), .index(1), .index(1))
    let reranker = CandidateReranker(policy: .conservative, judge: judge, clock: TestClock())
    for candidates in [
      .readings("one"), .readings("one", "one", "one"), .readings("one", "", "  "),
      [.reading("one", confidence: 0.2, isTimed: true), .reading("two", confidence: 0.8)],
      .readings("a two day trip", "a two-day trip"), [],
    ] as [[Candidate]] {
      let election = await reranker.elect(candidates)
      #expect(election.judgement == nil)
    }
    let disabled = CandidateReranker(policy: .disabled, judge: judge)
    let first = await disabled.elect(two)
    let notReadings = CandidateReranker(
      policy: .conservative, alternativesAreHypotheses: false, judge: judge)
    let second = await notReadings.elect(.readings("a two day trip", "a two-day trip"))
    #expect(first.selection == .recognizer)
    #expect(second.selection.index == 0)
    #expect(second.rule == .recognizer)
    #expect(notReadings.policy == .disabled)
    #expect(judge.questions.isEmpty)
  }

  @Test func textAndWordTimesChangeTogether() async {
    let judge = ScriptedJudge(.index(1))
    let reranker = CandidateReranker(policy: .conservative, judge: judge, clock: TestClock())
    let candidates: [Candidate] = [
      .reading("a two day trip", confidence: 0.2, isTimed: true), .reading("a two-day trip"),
      .reading("a to day trip", confidence: 0.8, isTimed: true),
    ]
    let election = await reranker.elect(candidates)
    #expect(election.selection == Segment.Selection(index: 2, rule: "language-model", judgement: .answered))
    #expect(election.candidateCount == 2)
    #expect(judge.questions.first?.texts == ["a two day trip", "a to day trip"])
    let timed = candidates + [.reading("a two-day trip", isTimed: true)]
    #expect(reranker.electLocally(timed).selection.index == 3)
  }

  @Test func languageModelGetsConfidencesAndContext() {
    let candidates = [
      Candidate.reading("trek for", confidence: 0.914), .reading("track for", confidence: 0.5),
    ]
    #expect(
      LanguageModelJudge.prompt(candidates, "you are off")
        == "The text before: you are off\n0 (confidence 0.91): trek for\n1 (confidence 0.50): track for\n")
    #expect(LanguageModelJudge.prompt(candidates, nil).hasPrefix("0 (confidence 0.91)"))
  }

  @Test func contextIsBounded() {
    #expect(CandidateReranker.context([]) == nil)
    #expect(CandidateReranker.context(["", " "]) == nil)
    #expect(CandidateReranker.context(["one", "two"]) == "one two")
    let long = (0..<1000).map { "word\($0)" }
    let context = CandidateReranker.context(long) ?? ""
    #expect(context.count <= CandidateReranker.maxContext)
    #expect(context.count > 380)
    #expect(context.hasSuffix("word999"))
    #expect(context.hasPrefix("word"))
    let letters = CandidateReranker.context([String(repeating: "a", count: 5000)])
    #expect(letters?.count == CandidateReranker.maxContext)
  }

  @Test func summaryIsOneLine() {
    let candidates: [Candidate] = [
      .reading("a two day\ntrip", confidence: 0.914), .reading("a two day\ntrip"),
      .reading(String(repeating: "long ", count: 40), confidence: 0.2),
    ]
    var elected = candidates
    elected[0].source = Candidate.electedSource(1.25)
    #expect(
      CandidateReranker(policy: .conservative).electLocally(elected).summary
        .hasPrefix("recognizer: 0 of 2; [0] 0.91 elected 1.25 \"a two day trip\", [2]"))
    let election = CandidateReranker(policy: .conservative).electLocally(candidates)
    #expect(election.candidateCount == 2)
    #expect(election.previews.map(\.index) == [0, 2])
    #expect(
      election.summary.hasPrefix("recognizer: 0 of 2; [0] 0.91 \"a two day trip\", [2] 0.20 \"long long"))
    #expect(!election.summary.contains { $0.isNewline })
  }

  @Test func storedNamesOfRulesAndPoliciesAreStable() {
    #expect(
      RerankingRule.allCases.map(\.rawValue) == [
        "recognizer", "editorial-formatting", "redundant-name", "contextual-phrase", "language-model",
        "user", "correction", "paragraph",
      ])
    #expect(CandidateRerankingPolicy.allCases.map(\.rawValue) == ["disabled", "conservative"])
    #expect(Segment.Selection.recognizer.rule == RerankingRule.recognizer.rawValue)
  }
}
