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
  func best(
    among candidates: [CandidateWords], gain: (_ first: CandidateWords, _ other: CandidateWords) -> Int
  ) -> Int? {
    guard let first = candidates.first else { return nil }
    var best: (index: Int, gain: Int)?
    for index in candidates.indices.dropFirst() {
      let gain = gain(first, candidates[index])
      if gain > best?.gain ?? 0 { best = (index, gain) }
    }
    return best?.index
  }

  /// The number of phrases in `first` that `other` replaces, if all other words are equal; else 0.
  ///
  /// - Parameters:
  ///   - first: the words of the recognizer's first choice.
  ///   - other: the words of another candidate.
  ///   - ends: called where the next words differ, with the index in `first` and in `other`. Returns the indices after the
  ///     phrase and its replacement; nil if the words are not such a pair.
  func replacements(
    in first: [Substring], by other: [Substring], ends: (_ index: Int, _ otherIndex: Int) -> (Int, Int)?
  ) -> Int {
    var (index, otherIndex, count) = (0, 0, 0)
    while index < first.count, otherIndex < other.count {
      if first[index] == other[otherIndex] {
        (index, otherIndex) = (index + 1, otherIndex + 1)
      } else if let after = ends(index, otherIndex) {
        (index, otherIndex) = after
        count += 1
      } else {
        return 0
      }
    }
    return index == first.count && otherIndex == other.count ? count : 0
  }
}
