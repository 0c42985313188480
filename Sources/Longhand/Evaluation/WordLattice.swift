/// The texts that a recognizer offered for a recording: for each segment its alternatives.
///
/// Every choice of one alternative a segment, one after the other, is a text. The lattice finds the one with the fewest
/// errors without trying them all.
public struct WordLattice: Sendable, Hashable {
  /// For each segment its alternatives, each a list of normalized words.
  public var segments: [[[String]]]

  private static let insertion: UInt64 = 1 << 40
  private static let deletion: UInt64 = 1 << 40 | 1
  private static let substitution: UInt64 = 1 << 40 | 1 << 20
  private static let mask: UInt64 = 1 << 20 - 1

  /// Segments without alternatives add no words.
  public init(segments: [[[String]]]) { self.segments = segments }

  /// The errors of the best text that can be put together: the oracle word error rate.
  ///
  /// Exact: the minimum edit distance between the reference and all texts of the lattice, a row of the usual table being
  /// carried through each alternative of a segment, and the least of them being taken into the next. Among equals, the
  /// text with the fewest substitutions, then deletions. Time grows with the reference's words times the lattice's,
  /// memory with the reference's.
  ///
  /// - Precondition: the reference has fewer than 2^20 words (100 hours of speech).
  public func wordErrorRate(reference: [String]) -> WordErrorRate {
    precondition(reference.count < 1 << 20, "the counts of a path are packed into 20 bits each")
    var numbers: [String: Int32] = [:]
    for word in reference where numbers[word] == nil { numbers[word] = Int32(numbers.count) }
    // What the reference does not have cannot match, so that all of it may share a number.
    let wanted = reference.compactMap { numbers[$0] }
    var costs = (0...wanted.count).map { UInt64($0) * Self.deletion }
    for alternatives in segments where !alternatives.isEmpty {
      var best: [UInt64] = []
      for words in Set(alternatives.map { $0.map { numbers[$0] ?? -1 } }) {
        let row = Self.carried(costs, through: words, reference: wanted)
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

  /// The costs of reaching each beginning of the reference after `words` more of the hypothesis.
  private static func carried(_ costs: [UInt64], through words: [Int32], reference: [Int32]) -> [UInt64] {
    var costs = costs
    costs.withUnsafeMutableBufferPointer { costs in
      reference.withUnsafeBufferPointer { reference in
        for word in words {
          var diagonal = costs[0]
          var left = diagonal &+ insertion
          costs[0] = left
          for index in 0..<reference.count {
            let above = costs[index + 1]
            let paired = reference[index] == word ? diagonal : diagonal &+ substitution
            left = min(paired, min(left &+ deletion, above &+ insertion))
            costs[index + 1] = left
            diagonal = above
          }
        }
      }
    }
    return costs
  }
}
