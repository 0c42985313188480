import LonghandTranscripts

/// Chooses which of several candidates was said, for example with a language model on this machine. It returns an index
/// only, so it cannot add text to a transcript.
///
/// ```swift
/// struct ShortestJudge: CandidateJudge {
///   func choose(among candidates: [Candidate], context: String?) async throws -> Int? {
///     candidates.indices.min { candidates[$0].text.count < candidates[$1].text.count }
///   }
/// }
/// ```
package protocol CandidateJudge: Sendable {
  /// Chooses one of `candidates`.
  /// - Parameters:
  ///   - candidates: at least two candidates with different texts, the recognizer's first choice first.
  ///   - context: the preceding text; nil at the beginning, or if the judge refused the same question with context.
  /// - Returns: an index into `candidates`; nil if the judge cannot decide.
  /// - Throws: `CandidateJudgeError.refused` if the judge refuses the text; another error if it fails.
  func choose(among candidates: [Candidate], context: String?) async throws -> Int?
}

/// An error of a judge.
package enum CandidateJudgeError: Error, Sendable, Hashable {
  /// The judge refuses the text. It is asked again without the context.
  case refused
}
