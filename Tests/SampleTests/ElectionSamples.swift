// The samples are as their document has them.
// swift-format-ignore-file

// "Why Apple Speech's first answer isn't always its best": its code, unchanged, over Longhand's reranker.
import Foundation
import FoundationModels
import Longhand
import Testing

public enum AppleSpeechAlternativeRerankingPolicy: Sendable, Equatable {
    case disabled
    case conservative
}

/// What the document's functions are given.
struct AppleSpeechAlternativeChoiceRequest {
  var candidates: [Candidate]
  var previousText: String?
  var prompt = "with context"
  var promptWithoutPreviousContext = "without context"
}

extension String {
  var spokenComparisonTokens: [String] {
    let text = SpokenText(self)
    return (0..<text.count).map { text.word($0) }
  }
  var editorialFormattingScore: Int { filter { $0 == "-" || $0 == "'" || $0 == "’" }.count * 3 }
}

enum DocumentSelectors {
private static func selectEditorialFormattingAlternative(
    from request: AppleSpeechAlternativeChoiceRequest,
    topTokens: [String]
) -> Int? {
    let topScore = request.candidates[0].text.editorialFormattingScore

    for (index, candidate) in request.candidates.enumerated().dropFirst() {
        guard candidate.text.spokenComparisonTokens == topTokens else { continue }
        guard candidate.text.editorialFormattingScore >= topScore + 3 else { continue }
        return index
    }

    return nil
}

private static func isPreferredContextualPhrase(
    previousToken: String,
    candidateFirstToken: String,
    topFirstToken: String
) -> Bool {
    switch (previousToken, candidateFirstToken, topFirstToken) {
    case ("off", "track", "trek"),
         ("off", "track", "check"):
        true
    default:
        false
    }
}

  static func formatting(_ request: AppleSpeechAlternativeChoiceRequest) -> Int? {
    selectEditorialFormattingAlternative(
      from: request, topTokens: request.candidates[0].text.spokenComparisonTokens)
  }

  static func phrase(_ previous: String, _ candidate: String, _ top: String) -> Bool {
    isPreferredContextualPhrase(
      previousToken: previous, candidateFirstToken: candidate, topFirstToken: top)
  }

  /// Asks, and asks again without the context after a refusal.
  static func index(
    _ request: AppleSpeechAlternativeChoiceRequest,
    _ ask: (String) async throws -> Int?
  ) async -> Int? {
    func generateIndex(prompt: String) async throws -> Int? { try await ask(prompt) }
do {
    return try await generateIndex(prompt: request.prompt)
} catch LanguageModelSession.GenerationError.refusal {
    return try? await generateIndex(prompt: request.promptWithoutPreviousContext)
} catch {
    return nil
}
  }
}

@Suite struct ElectionSampleTests {
  /// What Longhand's reranker selects, as the document's tests write it.
  private func selected(_ text: String, alternatives: [String], previousText: String? = nil) -> String {
    let candidates = ([text] + alternatives).map { Candidate(text: $0, words: [], confidence: 0.5) }
    let election = CandidateReranker(policy: .conservative).electLocally(
      candidates, after: previousText.map { [$0] } ?? [])
    return candidates[election.selection.index].text
  }

  @Test func theDocumentsOwnTestsPass() {
#expect(selected("Villa Villanova", alternatives: ["Villanova"]) == "Villanova")
#expect(selected("New York", alternatives: ["York"]) == "New York")
#expect(selected("trek for", alternatives: ["track for"], previousText: "you're off") == "track for")
#expect(selected("trek", alternatives: ["track"], previousText: "Star") == "trek")
  }

  @Test func theDocumentsSelectorsChooseAsItSays() async {
    func request(_ texts: String...) -> AppleSpeechAlternativeChoiceRequest {
      .init(candidates: texts.map { Candidate(text: $0, words: [], confidence: 0.5) })
    }
    #expect(DocumentSelectors.formatting(request("high level projects", "high-level projects")) == 1)
    #expect(DocumentSelectors.formatting(request("share cutting", "sharecutting")) == nil)
    #expect(DocumentSelectors.phrase("off", "track", "trek"))
    #expect(!DocumentSelectors.phrase("star", "track", "trek"))
    var prompts: [String] = []
    let index = await DocumentSelectors.index(request("a", "b")) { prompt in
      prompts.append(prompt)
      if prompt == "with context" {
        throw LanguageModelSession.GenerationError.refusal(
          .init(transcriptEntries: []), .init(debugDescription: "May contain sensitive content."))
      }
      return 1
    }
    #expect(index == 1)
    #expect(prompts == ["with context", "without context"])
  }
}
