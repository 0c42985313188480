import Longhand
import Testing

@Suite struct TranscriptionEventTests {
  private static func candidate(_ text: String, from start: Double, confidence: Double) -> Candidate {
    let words = text.split(separator: " ").enumerated().map { index, word in
      Word(text: String(word), start: start + Double(index), end: start + Double(index) + 0.8, confidence: 1)
    }
    return Candidate(text: text, words: words, confidence: confidence)
  }

  @Test func finalHasTheTimesOfItsBestCandidatesWords() {
    let candidates = [
      Self.candidate("a b c", from: 3, confidence: 0.9), Self.candidate("d", from: 1, confidence: 0.5),
    ]
    #expect(TranscriptionEvent.final(candidates) == .final(start: 3, end: 5.8, candidates: candidates))
  }

  @Test func candidateWithoutWordsGivesNoFinal() {
    #expect(TranscriptionEvent.final([]) == nil)
    let silent = Candidate(text: "x", words: [], confidence: 1)
    #expect(TranscriptionEvent.final([silent, Self.candidate("d", from: 1, confidence: 1)]) == nil)
  }

  @Test func confidenceNeverIncreasesAlongTheAlternatives() {
    let candidates = [0.5, 0.9, 0.4, 0.6].map { Self.candidate("a", from: 0, confidence: $0) }
    guard case .final(_, _, let reported, _) = TranscriptionEvent.final(candidates) else {
      Issue.record("there is no final")
      return
    }
    #expect(reported.map(\.confidence) == [0.5, 0.5, 0.4, 0.4])
    #expect(reported.map(\.text) == candidates.map(\.text))
  }
}
