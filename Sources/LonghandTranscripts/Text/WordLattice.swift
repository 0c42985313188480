/// All texts that the candidates of a recording allow: for each segment its alternatives.
///
/// One alternative of each segment, joined in order, is a text. The lattice finds the text with the fewest errors without
/// trying them all.
///
/// ```swift
/// let lattice = WordLattice(segments: [[["a"], ["a", "b"]], [["b", "c"], ["c"]]])
/// print(lattice.wordErrorRate(reference: ["a", "b", "c"]).errors)  // 0
/// ```
package struct WordLattice: Sendable, Hashable {
  /// The alternatives of each segment, each a list of normalized words.
  package var segments: [[[String]]]

  private static let insertion: UInt64 = 1 << 40
  private static let deletion: UInt64 = 1 << 40 | 1
  private static let substitution: UInt64 = 1 << 40 | 1 << 20
  private static let mask: UInt64 = 1 << 20 - 1
  /// From the hypothesis to the reference, so that a row has the length of the reference.
  private static let distance = EditDistance(
    costs: UniformCosts<Int32, UInt64>(removal: insertion, insertion: deletion, replacement: substitution))

  package init(segments: [[[String]]]) { self.segments = segments }

  /// The errors of the best text: the oracle word error rate.
  ///
  /// The result is exact: a row of the edit distance is advanced through each alternative of a segment, and the minimum of
  /// the resulting rows goes into the next segment. Of several best texts, it counts the one with the fewest substitutions,
  /// then deletions. Time grows with the number of words in the reference times that in the lattice, memory with the
  /// reference.
  ///
  /// - Precondition: the reference has fewer than 2^20 words (100 hours of speech).
  package func wordErrorRate(reference: [String]) -> WordErrorRate {
    precondition(reference.count < 1 << 20, "the counts of a path are packed into 20 bits each")
    var numbers: [String: Int32] = [:]
    for word in reference where numbers[word] == nil { numbers[word] = Int32(numbers.count) }
    // Words that are not in the reference cannot match, so they share a number.
    let wanted = reference.compactMap { numbers[$0] }
    var costs = Self.distance.firstRow(to: wanted)
    for alternatives in segments where !alternatives.isEmpty {
      var best: [UInt64] = []
      for words in Set(alternatives.map { $0.map { numbers[$0] ?? -1 } }) {
        var row = costs
        Self.distance.advance(&row, past: words, to: wanted)
        best = best.isEmpty ? row : zip(best, row).map { min($0, $1) }
      }
      costs = best
    }
    let total = costs[wanted.count]
    let substitutions = Int(total >> 20 & Self.mask)
    let deletions = Int(total & Self.mask)
    return WordErrorRate(
      substitutions: substitutions, deletions: deletions,
      insertions: Int(total >> 40) - substitutions - deletions, referenceWords: reference.count)
  }
}
