/// Something that reads and can tell which of several readings was said, such as a language model on this machine.
///
/// It names one; what it writes is never used.
public protocol CandidateJudge: Sendable {
  /// Which of `texts` was said.
  /// - Parameters:
  ///   - texts: at least two, all different, the recognizer's first choice first.
  ///   - context: what was said before; nil at the beginning, or where the same question was refused with it.
  /// - Returns: an index into `texts`; nil if it cannot tell.
  /// - Throws: `CandidateJudgeError.refused` where it will not read this; anything else where it cannot.
  func choose(among texts: [String], context: String?) async throws -> Int?
}

/// Why a judge did not answer.
public enum CandidateJudgeError: Error, Sendable, Hashable {
  /// It will not read this text; it may read it without the context.
  case refused
}
