/// What a step costs. Constants, because values in memory would make the innermost loop half as fast again.
protocol WordCosts: EditCosts where Element == Int32, Cost == UInt64 {
  init()
}

/// Each error counts 1.
struct ErrorCosts: WordCosts {
  @inline(__always) func removal(of element: Int32) -> UInt64 { gap }
  @inline(__always) func insertion(of element: Int32) -> UInt64 { gap }
  @inline(__always) func replacement(of element: Int32, with other: Int32) -> UInt64 {
    element == other ? 0 : gap | 1
  }
  @inline(__always) var gap: UInt64 { 1 << 32 }
}

/// A substitution counts 1.5, so that whole passages of one list do not stand for other ones of the other list.
struct PassageCosts: WordCosts {
  @inline(__always) func removal(of element: Int32) -> UInt64 { 2 << 32 }
  @inline(__always) func insertion(of element: Int32) -> UInt64 { 2 << 32 }
  @inline(__always) func replacement(of element: Int32, with other: Int32) -> UInt64 {
    element == other ? 0 : 3 << 32
  }
}

/// Finds the best alignment of two lists of numbers in linear space (Hirschberg, "A linear space algorithm for computing
/// maximal common subsequences", 1975): it divides the reference until a table of each part fits into memory.
///
/// The cost of a path is a single number: its errors in the upper half and, to choose among paths with equal errors, its
/// substitutions in the lower half. Fewer substitutions at equal errors mean more matches.
struct WordAligner<Costs: WordCosts> {
  private let distance = EditDistance(costs: Costs())
  /// The number of cells in the largest table.
  private let maxTableSize = 1 << 18

  private let reference: [Int32]
  private let hypothesis: [Int32]
  private var steps: [WordAlignment.Operation] = []

  init(reference: [Int32], hypothesis: [Int32]) {
    self.reference = reference
    self.hypothesis = hypothesis
  }

  mutating func operations() -> [WordAlignment.Operation] {
    steps = []
    steps.reserveCapacity(max(reference.count, hypothesis.count))
    align(0..<reference.count, 0..<hypothesis.count)
    return steps
  }

  private mutating func align(_ rows: Range<Int>, _ columns: Range<Int>) {
    var rows = rows
    var columns = columns
    // At least one of the best alignments matches equal starts and equal ends.
    while let row = rows.first, let column = columns.first, reference[row] == hypothesis[column] {
      steps.append(.match)
      rows.removeFirst()
      columns.removeFirst()
    }
    var matchesAtEnd = 0
    while let row = rows.last, let column = columns.last, reference[row] == hypothesis[column] {
      matchesAtEnd += 1
      rows.removeLast()
      columns.removeLast()
    }
    if rows.isEmpty || columns.isEmpty {
      steps += Array(repeating: .deletion, count: rows.count)
      steps += Array(repeating: .insertion, count: columns.count)
    } else if rows.count == 1 || (rows.count + 1) * (columns.count + 1) <= maxTableSize {
      alignByTable(Array(reference[rows]), Array(hypothesis[columns]))
    } else {
      let middle = rows.lowerBound + rows.count / 2
      let before = costs(reference[rows.lowerBound..<middle], Array(hypothesis[columns]))
      let after = costs(
        reference[middle..<rows.upperBound].reversed(), hypothesis[columns].reversed())
      var best = 0
      func cost(_ column: Int) -> UInt64 { before[column] + after[columns.count - column] }
      for column in before.indices where cost(column) < cost(best) { best = column }
      align(rows.lowerBound..<middle, columns.lowerBound..<columns.lowerBound + best)
      align(middle..<rows.upperBound, columns.lowerBound + best..<columns.upperBound)
    }
    steps += Array(repeating: .match, count: matchesAtEnd)
  }

  /// The costs of aligning all of `source` with each prefix of `target`.
  private func costs(_ source: some Sequence<Int32>, _ target: [Int32]) -> [UInt64] {
    var row = distance.firstRow(to: target)
    distance.advance(&row, past: source, to: target)
    return row
  }

  private mutating func alignByTable(_ source: [Int32], _ target: [Int32]) {
    steps += distance.operations(from: source, to: target)
  }
}

extension EditDistance {
  /// The steps of a cheapest way from a source to a target, by a table of both.
  func operations(from source: [Element], to target: [Element]) -> [WordAlignment.Operation] {
    var table = [firstRow(to: target)]
    for (index, element) in source.enumerated() {
      var row = table[index]
      advance(&row, past: CollectionOfOne(element), to: target)
      table.append(row)
    }
    var (row, column) = (source.count, target.count)
    var backward: [WordAlignment.Operation] = []
    while row > 0 || column > 0 {
      let cost = table[row][column]
      if row > 0, column > 0 {
        let replacement = costs.replacement(of: source[row - 1], with: target[column - 1])
        if cost == table[row - 1][column - 1] + replacement {
          backward.append(replacement == 0 ? .match : .substitution)
          (row, column) = (row - 1, column - 1)
          continue
        }
      }
      let isDeletion = row > 0 && cost == table[row - 1][column] + costs.removal(of: source[row - 1])
      backward.append(isDeletion ? .deletion : .insertion)
      if isDeletion { row -= 1 } else { column -= 1 }
    }
    return backward.reversed()
  }
}
