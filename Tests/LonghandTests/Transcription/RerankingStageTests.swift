import Foundation
import Longhand
import Synchronization
import StoreAuditing
import Testing

@testable import LonghandArchive
@testable import LonghandTranscription

/// The choice between an engine's candidates and the committed segments.
@Suite struct RerankingStageTests {
  private static func final(_ texts: String..., start: TimeInterval) -> TranscriptionEvent {
    .final(
      start: start, end: start + 2,
      candidates: texts.enumerated().map { index, text in
        // A judge may choose the others.
        let confidence = index == 0 ? 0.2 : 0.8
        let words = text.split(separator: " ").map(String.init)
        return Candidate(
          text: text,
          words: words.enumerated().map { place, word in
            let begin = start + Double(place) * 2 / Double(words.count)
            return Word(
              text: word, start: begin, end: begin + 2 / Double(words.count), confidence: confidence)
          }, confidence: confidence)
      })
  }

  private static let steps: [ScriptedEngine.Step] = [
    .emit(.partial(.init(start: 0, end: 1, text: "off the"))),
    .emit(final("off the beaten truck", "off the beaten track", start: 0)), .emit(.processed(3)),
    .emit(final("night takes bishop", "knight takes bishop", start: 4)), .emit(.processed(8)),
  ]

  private func run(
    _ reranker: CandidateReranker, _ steps: [ScriptedEngine.Step] = steps, seconds: Int64 = 10
  ) async throws -> (SessionFixture, [Segment]) {
    let fixture = try SessionFixture(seconds: seconds)
    let engine = EnginePipeline(ScriptedEngine { _ in steps }, [RerankingStage(reranker)])
    #expect(engine.selection == .rolling)
    try await SessionTranscription(
      store: fixture.store, session: fixture.session, engine: engine, audio: fixture.audio, gaps: { [] },
      report: { _ in }
    ).run()
    #expect(try fixture.store.audit().problems == [])
    return (fixture, try fixture.store.page(of: fixture.session.id, limit: 100))
  }

  @Test func chosenCandidateIsCommittedWithItsRuleAndAllCandidates() async throws {
    let judge = ScriptedJudge(.index(1))
    let (fixture, segments) = try await run(
      CandidateReranker(policy: .conservative, judge: judge, clock: TestClock()))
    #expect(segments.map(\.text) == ["off the beaten track", "knight takes bishop"])
    #expect(segments.map(\.selection.rule) == ["contextual-phrase", "language-model"])
    #expect(segments.map(\.selection.judgement) == [nil, .answered])
    #expect(segments.allSatisfy { $0.candidates.count == 2 })
    // The judge gets the chosen preceding text, and is asked only if no rule decides.
    #expect(judge.questions.map(\.context) == ["off the beaten track"])
    #expect(try fixture.spans.tile(10))
  }

  /// What the recognizer's first reading is changed to, and what must stay, each after a segment of its own.
  @Test func pairsAreDecidedTheSameInASession() async throws {
    let pairs: [(before: String, first: String, other: String, isChosen: Bool)] = [
      ("we took", "a 2 day trip", "a two-day trip", true),
      ("she gave me", "entry level tasks", "entry-level tasks", true),
      ("they run", "high level projects", "high-level projects", true),
      ("he has", "ten years experience", "ten years' experience", true),
      ("the picture was", "AI generated", "AI-generated", true),
      ("you're off", "trek for it", "track for it", true),
      ("we met at", "Villa Villanova", "Villanova", true),
      ("this is", "share cutting", "share-cutting", false),
      ("we flew to", "New York", "York", false),
      ("Star", "trek", "track", false),
      ("a long", "trek for it", "track for it", false),
      ("I asked", "ChatGPT", "chat GPT", false),
      ("my", "companion.", "companion,", false),
      ("a", "3 day trip", "three-day trip", false),
      ("then", "say a transcript", "share your transcript", false),
    ]
    var steps: [ScriptedEngine.Step] = []
    for (place, pair) in pairs.enumerated() {
      let start = Double(place) * 6
      steps += [
        .emit(Self.final(pair.before, start: start)),
        .emit(Self.final(pair.first, pair.other, start: start + 3)),
        .emit(.processed(start + 6)),
      ]
    }
    let seconds = Int64(pairs.count) * 6
    let (_, segments) = try await run(CandidateReranker(policy: .conservative), steps, seconds: seconds)
    #expect(segments.count == 2 * pairs.count)
    for (pair, segment) in zip(
      pairs, segments.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element))
    {
      #expect(segment.text == (pair.isChosen ? pair.other : pair.first))
      #expect((segment.selection.rule == "recognizer") == !pair.isChosen)
      #expect(segment.candidates.count == 2)
    }
    let (_, plain) = try await run(CandidateReranker(policy: .disabled), steps, seconds: seconds)
    #expect(plain.map(\.text) == pairs.flatMap { [$0.before, $0.first] })
  }

  /// The lines have what was said, so there are none unless they are wanted.
  @Test func everyChoiceIsLoggedOnRequest() async throws {
    let lines = Mutex<[String]>([])
    ElectionLog.start { line in lines.withLock { $0.append(line) } }
    _ = try await run(CandidateReranker(policy: .conservative))
    ElectionLog.stop()
    // Other tests may run meanwhile.
    let logged = lines.withLock(\.self)
    #expect(
      logged.contains(
        #"election at 00:00:00: contextual-phrase: 1 of 2; [0] 0.20 "off the beaten truck", "#
          + #"[1] 0.80 "off the beaten track""#), "\(logged)")
    #expect(logged.contains { $0.hasPrefix("election at 00:00:04: recognizer: 0 of 2; ") })
  }

  @Test func unusableAnswerKeepsTheRecognizersText() async throws {
    let (_, plain) = try await run(CandidateReranker(policy: .disabled))
    #expect(plain.map(\.text) == ["off the beaten truck", "night takes bishop"])
    for answer in [ScriptedJudge.Answer.index(9), .index(nil), .refusal, .failure] {
      let reranker = CandidateReranker(
        policy: .conservative, judge: ScriptedJudge(answer, answer), clock: TestClock())
      let (_, segments) = try await run(reranker)
      #expect(segments.last?.text == plain.last?.text)
      #expect(segments.last?.selection.rule == "recognizer")
      #expect(segments.last?.selection.judgement != nil)
    }
  }

  @Test func segmentsAreRerankedInOrder() async {
    var segments = [
      StoreFixture.segment(0, "off the beaten truck", alternatives: ["off the beaten track"]),
      StoreFixture.segment(1, "night", alternatives: ["knight"]),
    ]
    segments[1].candidates[0].words[0].confidence = 0.2
    let judge = ScriptedJudge(.index(1))
    let reranker = CandidateReranker(policy: .conservative, judge: judge, clock: TestClock())
    let candidates = segments.map(\.candidates)
    await segments.elect(by: reranker)
    #expect(segments.map(\.text) == ["off the beaten track", "knight"])
    #expect(judge.questions.map(\.context) == ["off the beaten track"])
    #expect(segments.map(\.candidates) == candidates)
  }

  @Test func lastWordOfThePrecedingSegmentDecides() async {
    var segments = [
      StoreFixture.segment(0, "you're off"),
      StoreFixture.segment(1, "trek for", alternatives: ["track for"]),
    ]
    await segments.elect(by: CandidateReranker(policy: .conservative))
    #expect(segments.map(\.text) == ["you're off", "track for"])
    #expect(segments.map(\.selection.rule) == ["recognizer", "contextual-phrase"])
  }
}
