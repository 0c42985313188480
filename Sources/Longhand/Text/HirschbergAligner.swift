/// Finds the best alignment of two lists of numbers, dividing the reference until a piece is small enough for a table.
///
/// The cost of a path is a single number: its errors in the upper half and, to choose among equals, its substitutions in
/// the lower half. Fewer substitutions at equal errors are more matches.
struct HirschbergAligner {
  private static let gap: UInt64 = 1 << 32
  private static let substitution: UInt64 = 1 << 32 | 1
  /// The cells of the largest table that is kept as a whole, a byte each.
  private static let largestTable = 1 << 18

  private let reference: [Int32]
  private let hypothesis: [Int32]
  private var found: [WordAlignment.Operation] = []

  init(reference: [Int32], hypothesis: [Int32]) {
    self.reference = reference
    self.hypothesis = hypothesis
  }

  mutating func operations() -> [WordAlignment.Operation] {
    found = []
    found.reserveCapacity(max(reference.count, hypothesis.count))
    align(0..<reference.count, 0..<hypothesis.count)
    return found
  }

  private mutating func align(_ rows: Range<Int>, _ columns: Range<Int>) {
    var rows = rows
    var columns = columns
    // Some best alignment matches equal beginnings and equal ends.
    while let row = rows.first, let column = columns.first, reference[row] == hypothesis[column] {
      found.append(.match)
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
      found += Array(repeating: .deletion, count: rows.count)
      found += Array(repeating: .insertion, count: columns.count)
    } else if rows.count == 1 || (rows.count + 1) * (columns.count + 1) <= Self.largestTable {
      alignByTable(rows, columns)
    } else {
      let middle = rows.lowerBound + rows.count / 2
      let before = costs(rows.lowerBound..<middle, columns, isBackward: false)
      let after = costs(middle..<rows.upperBound, columns, isBackward: true)
      var best = 0
      for index in before.indices where before[index] + after[index] < before[best] + after[best] {
        best = index
      }
      align(rows.lowerBound..<middle, columns.lowerBound..<columns.lowerBound + best)
      align(middle..<rows.upperBound, columns.lowerBound + best..<columns.upperBound)
    }
    found += Array(repeating: .match, count: matchesAtEnd)
  }

  /// The cost of aligning all `rows` with each beginning of `columns` (backward: with each end), by its length
  /// (backward: by the length of what is left).
  private func costs(_ rows: Range<Int>, _ columns: Range<Int>, isBackward: Bool) -> [UInt64] {
    let words = isBackward ? hypothesis[columns].reversed() : Array(hypothesis[columns])
    let order = isBackward ? reference[rows].reversed() : Array(reference[rows])
    var costs = (0...words.count).map { UInt64($0) * Self.gap }
    costs.withUnsafeMutableBufferPointer { costs in
      words.withUnsafeBufferPointer { words in
        for row in order {
          var diagonal = costs[0]
          var left = diagonal &+ Self.gap
          costs[0] = left
          for column in 0..<words.count {
            let above = costs[column + 1]
            let paired = words[column] == row ? diagonal : diagonal &+ Self.substitution
            left = min(paired, min(left, above) &+ Self.gap)
            costs[column + 1] = left
            diagonal = above
          }
        }
      }
    }
    return isBackward ? costs.reversed() : costs
  }

  private mutating func alignByTable(_ rows: Range<Int>, _ columns: Range<Int>) {
    let width = columns.count + 1
    var steps = [WordAlignment.Operation](repeating: .insertion, count: (rows.count + 1) * width)
    var costs = (0..<width).map { UInt64($0) * Self.gap }
    for (rowIndex, row) in rows.enumerated() {
      var diagonal = costs[0]
      costs[0] += Self.gap
      steps[(rowIndex + 1) * width] = .deletion
      for (columnIndex, column) in columns.enumerated() {
        let above = costs[columnIndex + 1]
        let isMatch = reference[row] == hypothesis[column]
        var best = isMatch ? diagonal : diagonal + Self.substitution
        var step: WordAlignment.Operation = isMatch ? .match : .substitution
        if above + Self.gap < best { (best, step) = (above + Self.gap, .deletion) }
        if costs[columnIndex] + Self.gap < best { (best, step) = (costs[columnIndex] + Self.gap, .insertion) }
        costs[columnIndex + 1] = best
        steps[(rowIndex + 1) * width + columnIndex + 1] = step
        diagonal = above
      }
    }
    var position = (row: rows.count, column: columns.count)
    var backward: [WordAlignment.Operation] = []
    while position != (0, 0) {
      let step = steps[position.row * width + position.column]
      backward.append(step)
      if step != .insertion { position.row -= 1 }
      if step != .deletion { position.column -= 1 }
    }
    found += backward.reversed()
  }
}
