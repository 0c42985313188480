/// Whether anything but the recognizer's own first choice may be chosen.
public enum CandidateRerankingPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The recognizer's first choice always stands.
  case disabled
  /// A few conventions of writing decide, and a language model where there is one; only among candidates.
  case conservative
}
