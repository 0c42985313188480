/// Two lists of words side by side, with the fewest errors.
///
/// Of all alignments with the fewest errors (the Levenshtein distance, in which each error counts 1), it is one with the
/// most matches. The same lists always give the same alignment. Words match if their characters are equal; normalize them
/// first, see `TextNormalizer`.
///
/// Time grows with the product of the lists' lengths, memory with their sum.
///
/// ```swift
/// let alignment = WordAlignment(reference: ["one", "two"], hypothesis: ["one", "too"])
/// print(alignment.operations, alignment.errorRate.rate)  // [match, substitution] 0.5
/// ```
public struct WordAlignment: Sendable, Hashable {
  /// One step through both lists.
  public enum Operation: String, Sendable, Hashable, Codable {
    /// The next words of both lists are the same.
    case match
    /// The next words of both lists differ.
    case substitution
    /// The next word of the reference is missing from the hypothesis.
    case deletion
    /// The next word of the hypothesis is not in the reference.
    case insertion
  }

  /// The steps, in order: matches and substitutions take a word of both lists, deletions one of the reference,
  /// insertions one of the hypothesis.
  public var operations: [Operation]

  /// Aligns `hypothesis` with `reference`.
  public init(reference: [String], hypothesis: [String]) {
    self.init(reference: reference, hypothesis: hypothesis, ErrorCosts.self)
  }

  /// Aligns texts of which whole passages may differ: words that are the same count more than few errors.
  package init(passagesOf reference: [String], and hypothesis: [String]) {
    self.init(reference: reference, hypothesis: hypothesis, PassageCosts.self)
  }

  private init<Costs: WordCosts>(reference: [String], hypothesis: [String], _: Costs.Type) {
    let (reference, hypothesis) = Self.numbers(reference, hypothesis)
    var aligner = WordAligner<Costs>(reference: reference, hypothesis: hypothesis)
    operations = aligner.operations()
  }

  /// Small numbers for words, which compare much faster.
  private static func numbers(_ left: [String], _ right: [String]) -> ([Int32], [Int32]) {
    var numbers: [String: Int32] = [:]
    func number(_ word: String) -> Int32 {
      if let known = numbers[word] { return known }
      let new = Int32(numbers.count)
      numbers[word] = new
      return new
    }
    return (left.map(number), right.map(number))
  }

  /// The passages of a long text that are most like a short one, the most similar first. They do not overlap.
  /// - Parameter maxCost: the share of the words that may be missing.
  package static func passages(
    like wanted: [String], in text: [String], maxCost: Double
  ) -> [Range<Int>] {
    let (target, source) = numbers(wanted, text)
    let limit = Double(2 * target.count) * maxCost
    // Of parts that cost the same, the shortest: that which begins last.
    let last = UInt64(UInt32.max)
    var found: [(cost: UInt64, range: Range<Int>)] = []
    EditDistance(costs: PassageCosts()).forEachEnd(
      in: source, to: target, start: { last - UInt64($0) }
    ) { end, cost in
      let start = min(end, Int(last - cost & last))
      if Double(cost >> 32) <= limit, start < end { found.append((cost >> 32, start..<end)) }
    }
    found.sort { ($0.cost, $0.range.lowerBound) < ($1.cost, $1.range.lowerBound) }
    return found.reduce(into: []) { passages, one in
      if passages.count < maxPassages, !passages.contains(where: one.range.overlaps) {
        passages.append(one.range)
      }
    }
  }

  private static let maxPassages = 50

  /// The number of operations of each kind.
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

extension Array {
  /// Takes back matches of a word or two in the midst of at least three words on each side that do not match: they match by
  /// chance.
  package mutating func removeIslands<Match>() where Element == Match? {
    let (length, around) = (2, 3)
    var start = 0
    while start < count {
      let end = self[start...].firstIndex { ($0 == nil) != (self[start] == nil) } ?? count
      let isIsland =
        self[start] != nil && end - start <= length && start >= around && end + around <= count
        && (self[start - around..<start] + self[end..<end + around]).allSatisfy { $0 == nil }
      if isIsland { for index in start..<end { self[index] = nil } }
      start = end
    }
  }
}
