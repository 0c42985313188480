/// Words in which two texts differ.
package struct WordDifference: Equatable {
  /// The words of the one text; empty if it has none there.
  package var words: Range<Int>
  /// Those of the other text in their place.
  package var others: Range<Int>

  /// The differences of two texts, in order; marks and capitals make none.
  package static func all(of words: [String], and others: [String]) -> [WordDifference] {
    let (left, right) = (words.map(\.letters), others.map(\.letters))
    var (removed, inserted) = (Set<Int>(), Set<Int>())
    for change in left.difference(from: right) {
      switch change {
      case .insert(let index, _, _): inserted.insert(index)
      case .remove(let index, _, _): removed.insert(index)
      }
    }
    var found: [WordDifference] = []
    var (row, column) = (0, 0)
    while row < left.count || column < right.count {
      let (firstRow, firstColumn) = (row, column)
      while inserted.contains(row) { row += 1 }
      while removed.contains(column) { column += 1 }
      if row > firstRow || column > firstColumn {
        found.append(WordDifference(words: firstRow..<row, others: firstColumn..<column))
      } else {
        row += 1
        column += 1
      }
    }
    return found
  }
}

extension String {
  /// A word as it is compared: without marks and capitals.
  package var letters: String { lowercased().filter { $0.isLetter || $0.isNumber || $0 == "'" } }
}
