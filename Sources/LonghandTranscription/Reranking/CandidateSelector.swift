import LonghandTranscripts

/// A rule that may prefer another candidate to the recognizer's first choice. It returns an index and never writes text.
protocol CandidateSelector: Sendable {
  /// The name under which the choice is recorded.
  var rule: RerankingRule { get }

  /// The index of the candidate to choose instead of the first; nil to keep the first.
  ///
  /// The result depends on the arguments only.
  /// - Parameters:
  ///   - candidates: the candidates of a segment, the recognizer's first choice first.
  ///   - previous: the last word before the segment, as a token; nil if there is none.
  func choose(among candidates: [CandidateWords], after previous: String?) -> Int?
}

extension CandidateSelector {
  /// The index of the candidate with the highest gain over the first; the earliest of several. Nil if no candidate has a
  /// gain.
  func best(among candidates: [CandidateWords], gain: (_ other: CandidateWords) -> Int) -> Int? {
    var best: (index: Int, gain: Int)?
    for index in candidates.indices.dropFirst() {
      let gain = gain(candidates[index])
      if gain > best?.gain ?? 0 { best = (index, gain) }
    }
    return best?.index
  }
}
