import Foundation
import LonghandTranscripts

/// Chooses among the candidates of a segment. It never writes text: its result is the index of a candidate.
///
/// Rules about spelling decide first, then a language model if one is available. The model chooses only among the
/// first choice and candidates whose words are clearly likelier. In doubt, the recognizer's first choice is kept. Only final
/// candidates are reranked, not partial text.
///
/// ```swift
/// let reranker = CandidateReranker(policy: .conservative)
/// let election = await reranker.elect(candidates, after: segments.map(\.text))
/// log(election.summary)
/// segment.selection = election.selection
/// ```
package final class CandidateReranker: Sendable {
  /// The number of characters of preceding text that a judge gets.
  package static let maxContext = 400

  /// Whether another candidate than the recognizer's first choice may be chosen.
  package let policy: CandidateRerankingPolicy
  private let judge: (any CandidateJudge)?
  private let deadline: Duration
  private let clock: any Clock<Duration>
  private let call = DeadlinedCall()

  private let isEnglish: Bool
  private static let english: [any CandidateSelector] = [
    PhraseSelector.compounds, RedundantNameSelector(), PhraseSelector.contextual,
  ]

  /// Creates a reranker.
  /// - Parameters:
  ///   - policy: whether another candidate than the recognizer's first choice may be chosen.
  ///   - alternativesAreHypotheses: whether the engine's candidates are hypotheses of the same speech, in order of
  ///     likelihood. If not, the policy counts as `disabled`.
  ///   - locale: the language of candidates that have none of their own. The rules are those of English; in other languages only the judge decides.
  ///   - judge: asked if no rule decides, and if there are candidates whose words are clearly likelier than the first's.
  ///   - deadline: the time that a judge has for a segment, including a second question without context.
  ///   - clock: measures the deadline.
  package init(
    policy: CandidateRerankingPolicy, alternativesAreHypotheses: Bool = true,
    locale: Locale = Locale(identifier: "en-US"), judge: (any CandidateJudge)? = nil,
    deadline: Duration = .seconds(2),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.policy = alternativesAreHypotheses ? policy : .disabled
    isEnglish = locale.isEnglish
    self.judge = judge
    self.deadline = deadline
    self.clock = clock
  }

  /// Chooses by the rules alone, without a judge.
  /// - Parameters:
  ///   - candidates: the candidates of a segment, the recognizer's first choice first.
  ///   - preceding: the texts of the preceding segments, in order.
  package func electLocally(_ candidates: [Candidate], after preceding: [String] = [])
    -> CandidateSelectionRecord
  {
    elected(among: CandidateWords.distinct(among: candidates), of: candidates, after: preceding)
  }

  /// Chooses by the rules; asks the judge if no rule decides. While the judge is still busy with an earlier segment, it
  /// is not asked.
  /// - Parameters:
  ///   - candidates: the candidates of a segment, the recognizer's first choice first.
  ///   - preceding: the texts of the preceding segments, in order. Their last 400 characters are used.
  package func elect(_ candidates: [Candidate], after preceding: [String] = []) async
    -> CandidateSelectionRecord
  {
    let distinct = CandidateWords.distinct(among: candidates)
    let election = elected(among: distinct, of: candidates, after: preceding)
    guard policy == .conservative, election.rule == .recognizer, distinct.count > 1, let judge else {
      return election
    }
    let first = candidates[0]
    let offered = distinct.indices.filter { position in
      position == 0 || candidates[distinct[position].index].isClearlyLikelier(than: first)
    }
    guard offered.count > 1 else { return election }
    let choices = offered.map { candidates[distinct[$0].index] }
    let context = Self.context(preceding)
    let outcome = await call.run(within: deadline, clock: clock) {
      do {
        return try await judge.choose(among: choices, context: context)
      } catch CandidateJudgeError.refused where context != nil {
        try Task.checkCancellation()
        return try await judge.choose(among: choices, context: nil)
      }
    }
    let (index, judgement) = Self.judgement(outcome, among: choices.count)
    return CandidateSelectionRecord(
      offered[index], by: .languageModel, among: distinct, of: candidates, judgement: judgement)
  }

  private func elected(
    among distinct: [CandidateWords], of candidates: [Candidate], after preceding: [String]
  ) -> CandidateSelectionRecord {
    if policy == .conservative, distinct.count > 1 {
      let previous = CandidateWords.lastToken(of: preceding)
      let isEnglish = candidates.first?.language.map { Locale(identifier: $0).isEnglish } ?? isEnglish
      for selector in isEnglish ? Self.english : [] {
        if let index = selector.choose(among: distinct, after: previous) {
          return CandidateSelectionRecord(index, by: selector.rule, among: distinct, of: candidates)
        }
      }
    }
    return CandidateSelectionRecord(0, by: .recognizer, among: distinct, of: candidates)
  }

  private static func judgement(
    _ outcome: DeadlinedCall.Outcome<Int?>, among count: Int
  ) -> (index: Int, judgement: CandidateSelectionRecord.Judgement) {
    switch outcome {
    case .returned(let index?) where (0..<count).contains(index): (index, .answered)
    case .returned(.some): (0, .unreadable)
    case .returned(nil): (0, .undecided)
    case .failed(CandidateJudgeError.refused): (0, .refused)
    case .failed: (0, .failed)
    case .timedOut: (0, .timedOut)
    case .busy: (0, .busy)
    case .cancelled: (0, .cancelled)
    }
  }

  /// The end of the preceding text, from the start of a word; nil if there is no text.
  static func context(_ preceding: [String]) -> String? {
    // As many of the last texts as the context needs.
    var length = 0
    let last = preceding.reversed().prefix { text in
      defer { length += text.count + 1 }
      return length <= maxContext
    }
    let text = last.reversed().joined(separator: " ")
    guard text.count > maxContext else { return text.allSatisfy(\.isWhitespace) ? nil : text }
    let end = text.suffix(maxContext)
    let word = end.firstIndex(where: \.isWhitespace).map { end[end.index(after: $0)...] } ?? end
    return String(word)
  }
}

/// Whether another candidate than the recognizer's first choice may be chosen.
public enum CandidateRerankingPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The recognizer's first choice is always kept.
  case disabled
  /// A few rules about spelling choose among the candidates, then a language model if one is available.
  case conservative
}
