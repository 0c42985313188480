/// Why a judge did not answer.
public enum CandidateJudgeError: Error, Sendable, Hashable {
  /// It will not read this text; it may read it without the context.
  case refused
}
