import Longhand
import Testing

@testable import LonghandCommand

@Suite struct ExplanationTests {
  private func explanation(
    _ index: Int, _ rule: String, _ judgement: CandidateSelectionRecord.Judgement? = nil, of count: Int = 2
  ) -> String {
    let candidates = (0..<count).map { Candidate(text: "text \($0)", words: [], confidence: 0.5) }
    return Segment(
      id: 0, start: 0, end: 1, candidates: candidates,
      selection: .init(index: index, rule: rule, judgement: judgement)
    ).explanation
  }

  @Test func everyRuleHasItsOwnSentence() {
    var sentences: Set<String> = []
    for rule in RerankingRule.allCases {
      let sentence = explanation(rule == .recognizer ? 0 : 1, rule.rawValue)
      #expect(sentence.hasSuffix("."))
      #expect(!sentence.contains(rule.rawValue) || [.recognizer, .user].contains(rule))
      sentences.insert(sentence)
    }
    #expect(sentences.count == RerankingRule.allCases.count)
    #expect(explanation(1, "user") == "Alternative 1 was chosen by a person.")
    #expect(explanation(0, "recognizer", of: 1) == "The recognizer offered no other text.")
    #expect(explanation(1, "of a later version").contains("'of a later version'"))
  }

  @Test func surerAlternativeIsNamedWithTheReason() {
    let candidates = [("jelly", 0.61), ("julie", 0.65)].map { text, confidence in
      Candidate(
        text: text, words: [Word(text: text, start: 0, end: 1, confidence: confidence)],
        confidence: confidence)
    }
    func explanation(_ rule: RerankingRule) -> String {
      Segment(
        id: 0, start: 0, end: 1, candidates: candidates,
        selection: .init(index: 0, rule: rule.rawValue)
      ).explanation
    }
    let surer = "Number 1 has a higher confidence (0.65 against 0.61): "
    #expect(explanation(.recognizer).contains(surer + "the recognizer chooses by the probability"))
    #expect(explanation(.contextualPhrase).contains(surer + "the rule counts more than confidence."))
    #expect(!explanation(.user).contains(surer))
  }

  @Test func theSecondNetworkSaysByHowMuchItElected() {
    let candidates = [("hare", "elected 1.25"), ("here", nil), ("hair", "outvoted")].map {
      Candidate(text: $0, words: [], confidence: 0.5, source: $1)
    }
    func explanation(_ selection: Segment.Selection) -> String {
      Segment(id: 0, start: 0, end: 1, candidates: candidates, selection: selection).explanation
    }
    let own = explanation(.recognizer)
    #expect(own.contains("first text was number 2") && own.contains("number 0 3.49 times as likely."))
    #expect(explanation(.init(index: 2, rule: "user")) == "Alternative 2 was chosen by a person.")
  }

  @Test func languageModelThatDidNotDecideIsNamed() {
    #expect(explanation(0, "recognizer", .timedOut).hasSuffix("The language model did not answer in time."))
    #expect(!explanation(1, "language-model", .answered).contains("agreed"))
  }
}
