import Longhand
import Testing

/// Among which candidates a judge may choose.
@Suite struct CandidateLikelihoodTests {
  private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let first: Candidate
    let other: Candidate
    let isOffered: Bool

    init(_ description: String, _ first: Candidate, _ other: Candidate, isOffered: Bool) {
      (testDescription, self.first, self.other, self.isOffered) = (description, first, other, isOffered)
    }
  }

  /// Words with their confidences, one a second; "" is a second without a word.
  private static func said(_ words: (String, Double?)...) -> Candidate {
    let timed = words.enumerated().compactMap { index, word in
      word.0.isEmpty
        ? nil : Word(text: word.0, start: Double(index), end: Double(index + 1), confidence: word.1)
    }
    return Candidate(text: timed.map(\.text).joined(separator: " "), words: timed, confidence: 0.9)
  }

  private static let rows = [
    Row(
      "likelier word", said(("a", 0.9), ("night", 0.2)), said(("a", 0.9), ("knight", 0.7)), isOffered: true),
    Row(
      "equally likely word", said(("a", 0.9), ("night", 0.5)), said(("a", 0.9), ("knight", 0.5)),
      isOffered: false),
    Row(
      "less likely word", said(("a", 0.9), ("night", 0.9)), said(("a", 0.9), ("knight", 0.9)),
      isOffered: false),
    Row(
      "one of two words is not likelier", said(("a", 0.9), ("night", 0.2)),
      said(("the", 0.9), ("knight", 0.7)),
      isOffered: false),
    Row(
      "one of two words in one place is not likelier", said(("bath", 0.2), ("in", 0.2)),
      said(("bathing", 0.8), ("inn", 0.3)), isOffered: false),
    Row(
      "unlikely word is left out", said(("a", 0.9), ("uh", 0.1), ("night", 0.9)),
      said(("a", 0.9), ("", nil), ("night", 0.9)), isOffered: false),
    Row(
      "likely word is left out", said(("a", 0.9), ("cold", 0.9), ("night", 0.9)),
      said(("a", 0.9), ("", nil), ("night", 0.9)), isOffered: false),
    Row(
      "word is added", said(("a", 0.9), ("", nil), ("night", 0.9)),
      said(("a", 0.9), ("cold", 0.9), ("night", 0.9)), isOffered: false),
    Row("word is added at the end", said(("a", 0.9)), said(("a", 0.9), ("night", 0.9)), isOffered: false),
    Row(
      "marks and capitals", said(("a", 0.9), ("night", 0.9)), said(("A", 0.1), ("night.", 0.1)),
      isOffered: true),
    Row(
      "unknown confidence", said(("a", 0.9), ("night", 0.2)), said(("a", 0.9), ("knight", nil)),
      isOffered: false),
    Row("unknown confidence of the first", said(("night", nil)), said(("knight", 0.9)), isOffered: false),
    Row(
      "likelier text without words", .reading("night", confidence: 0.2), .reading("knight", confidence: 0.7),
      isOffered: true),
    Row(
      "less likely text without words", .reading("night", confidence: 0.5),
      .reading("knight", confidence: 0.6),
      isOffered: false),
  ]

  @Test(arguments: rows) private func judgeMayChooseLikelierWordsOnly(_ row: Row) async {
    let judge = ScriptedJudge(.index(1))
    let reranker = CandidateReranker(policy: .conservative, judge: judge, clock: TestClock())
    let election = await reranker.elect([row.first, row.other])
    #expect(election.selection.index == (row.isOffered ? 1 : 0))
    #expect(judge.questions.map(\.texts) == (row.isOffered ? [[row.first.text, row.other.text]] : []))
    #expect(election.candidateCount == 2)
  }

  /// The judge counts what it is offered; the record counts all candidates.
  @Test func judgesIndexIsThatOfAnOfferedCandidate() async {
    let judge = ScriptedJudge(.index(1), .index(2))
    let reranker = CandidateReranker(policy: .conservative, judge: judge, clock: TestClock())
    let candidates = [
      Self.said(("night", 0.2)), Self.said(("nigh", 0.3)), Self.said(("knight", 0.7)),
    ]
    let election = await reranker.elect(candidates)
    #expect(election.selection.index == 2)
    #expect(judge.questions.first?.texts == ["night", "knight"])
    let beyond = await reranker.elect(candidates)
    #expect(beyond.selection.index == 0)
    #expect(beyond.judgement == .unreadable)
  }
}
