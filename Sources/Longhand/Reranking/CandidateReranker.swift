import Foundation

/// Chooses among what a recognizer offered for a segment. It writes nothing: an answer is the index of a candidate.
///
/// Conventions of writing decide first, then a language model where there is one. Wherever there is a doubt the
/// recognizer's first choice stands. Only finals are put to it, never partial texts.
///
/// ```swift
/// let reranker = CandidateReranker(policy: .conservative)
/// let election = await reranker.elect(candidates, after: segments.map(\.text))
/// log(election.summary)
/// segment.selection = election.selection
/// ```
public final class CandidateReranker: Sendable {
  /// How many characters of what was said before a judge is told.
  public static let longestContext = 400

  /// Whether anything but the recognizer's first choice may be chosen.
  public let policy: CandidateRerankingPolicy
  private let judge: (any CandidateJudge)?
  private let deadline: Duration
  private let clock: any Clock<Duration>
  private let call = DeadlinedCall()

  private static let selectors: [any CandidateSelector] = [
    EditorialFormattingSelector(), RedundantNameSelector(), ContextualPhraseSelector(),
  ]

  /// - Parameters:
  ///   - policy: whether anything but the recognizer's first choice may be chosen.
  ///   - alternativesAreReadings: whether the engine's candidates are readings of the same speech, in order of
  ///     likelihood. Where they are not, the policy counts as `disabled`.
  ///   - judge: asked where no convention decides.
  ///   - deadline: how long a judge may take for a segment, a second question without context included.
  ///   - clock: what the deadline is told by.
  public init(
    policy: CandidateRerankingPolicy, alternativesAreReadings: Bool = true,
    judge: (any CandidateJudge)? = nil, deadline: Duration = .seconds(2),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.policy = alternativesAreReadings ? policy : .disabled
    self.judge = judge
    self.deadline = deadline
    self.clock = clock
  }

  /// Decides by conventions of writing alone, at once.
  /// - Parameter candidates: what the recognizer offered, its first choice first.
  public func electLocally(_ candidates: [Candidate]) -> CandidateSelectionRecord {
    elected(among: CandidateWords.distinct(among: candidates), of: candidates)
  }

  /// Decides, and asks the judge where there is one and no convention decides. One segment after another: while a
  /// judge still thinks about one, it is not asked about the next.
  /// - Parameters:
  ///   - candidates: what the recognizer offered, its first choice first.
  ///   - preceding: the texts of the segments before, in order; the last 400 characters count.
  public func elect(_ candidates: [Candidate], after preceding: [String] = []) async
    -> CandidateSelectionRecord
  {
    let readings = CandidateWords.distinct(among: candidates)
    let election = elected(among: readings, of: candidates)
    guard policy == .conservative, election.rule == .recognizer, readings.count > 1, let judge else {
      return election
    }
    let texts = readings.map(\.text)
    let context = Self.context(preceding)
    let outcome = await call.run(within: deadline, clock: clock) {
      do {
        return try await judge.choose(among: texts, context: context)
      } catch CandidateJudgeError.refused where context != nil {
        try Task.checkCancellation()
        return try await judge.choose(among: texts, context: nil)
      }
    }
    let (place, judgement) = Self.judgement(outcome, among: texts.count)
    return CandidateSelectionRecord(
      place, by: .languageModel, among: readings, of: candidates, judgement: judgement)
  }

  private func elected(among readings: [CandidateWords], of candidates: [Candidate])
    -> CandidateSelectionRecord
  {
    if policy == .conservative, readings.count > 1 {
      for selector in Self.selectors {
        if let place = selector.choose(among: readings) {
          return CandidateSelectionRecord(place, by: selector.rule, among: readings, of: candidates)
        }
      }
    }
    return CandidateSelectionRecord(0, by: .recognizer, among: readings, of: candidates)
  }

  private static func judgement(
    _ outcome: DeadlinedCall.Outcome<Int?>, among count: Int
  ) -> (place: Int, judgement: CandidateSelectionRecord.Judgement) {
    switch outcome {
    case .returned(let place?) where (0..<count).contains(place): (place, .answered)
    case .returned(.some): (0, .unreadable)
    case .returned(nil): (0, .undecided)
    case .failed(CandidateJudgeError.refused): (0, .refused)
    case .failed: (0, .failed)
    case .timedOut: (0, .timedOut)
    case .busy: (0, .busy)
    case .cancelled: (0, .cancelled)
    }
  }

  /// The end of what was said before, from the beginning of a word on; nil if nothing was.
  static func context(_ preceding: [String]) -> String? {
    // Texts from the last one back, as many as count.
    var length = 0
    let last = preceding.reversed().prefix { text in
      defer { length += text.count + 1 }
      return length <= longestContext
    }
    let text = last.reversed().joined(separator: " ")
    guard text.count > longestContext else { return text.allSatisfy(\.isWhitespace) ? nil : text }
    let end = text.suffix(longestContext)
    let word = end.firstIndex(where: \.isWhitespace).map { end[end.index(after: $0)...] } ?? end
    return String(word)
  }
}

/// Whether anything but the recognizer's own first choice may be chosen.
public enum CandidateRerankingPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The recognizer's first choice always stands.
  case disabled
  /// A few conventions of writing decide, and a language model where there is one; only among candidates.
  case conservative
}
