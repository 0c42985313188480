/// Two word lists side by side, with the fewest errors.
///
/// Among the alignments with the fewest errors (the Levenshtein distance, each error counting 1) it is one with the most
/// matches, and always the same one for the same lists. Words are the same when their characters are; normalize them
/// first, see `TextNormalizer`.
///
/// Time grows with the product of the lists' lengths, memory with their sum: Hirschberg's division ("A linear space
/// algorithm for computing maximal common subsequences", 1975).
public struct WordAlignment: Sendable, Hashable {
  /// One step through both lists.
  public enum Operation: String, Sendable, Hashable, Codable {
    /// The next words of both are the same.
    case match
    /// The next words of both differ.
    case substitution
    /// The reference's next word is missing from the hypothesis.
    case deletion
    /// The hypothesis's next word is not in the reference.
    case insertion
  }

  /// The steps, in order: matches and substitutions take a word of both lists, deletions one of the reference,
  /// insertions one of the hypothesis.
  public var operations: [Operation]

  /// Aligns `hypothesis` with `reference`.
  public init(reference: [String], hypothesis: [String]) {
    // Small numbers compare much faster than words.
    var numbers: [String: Int32] = [:]
    func number(_ word: String) -> Int32 {
      if let known = numbers[word] { return known }
      let new = Int32(numbers.count)
      numbers[word] = new
      return new
    }
    var aligner = HirschbergAligner(reference: reference.map(number), hypothesis: hypothesis.map(number))
    operations = aligner.operations()
  }

  /// The operations, counted.
  public var errorRate: WordErrorRate {
    operations.reduce(into: WordErrorRate()) { rate, operation in
      if operation != .insertion { rate.referenceWords += 1 }
      switch operation {
      case .match: break
      case .substitution: rate.substitutions += 1
      case .deletion: rate.deletions += 1
      case .insertion: rate.insertions += 1
      }
    }
  }
}
