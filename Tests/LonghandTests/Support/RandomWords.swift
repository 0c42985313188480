/// Word lists that resemble each other more or less.
enum RandomWords {
  /// Words of a small vocabulary, so that many repeat.
  static func list(_ count: Int, of vocabulary: Int, _ random: inout SeededGenerator) -> [String] {
    (0..<count).map { _ in "w\(Int.random(in: 0..<vocabulary, using: &random))" }
  }

  /// `words` with that share of them changed, left out or doubled.
  static func damaged(
    _ words: [String], share: Double, of vocabulary: Int, _ random: inout SeededGenerator
  ) -> [String] {
    words.flatMap { word -> [String] in
      guard Double.random(in: 0..<1, using: &random) < share else { return [word] }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return []
      case 1: return list(1, of: vocabulary, &random)
      default: return [word] + list(1, of: vocabulary, &random)
      }
    }
  }

  /// The fewest errors, by the table of the textbooks.
  static func distance(_ left: [String], _ right: [String]) -> Int {
    var row = Array(0...right.count)
    for (index, word) in left.enumerated() {
      var next = [index + 1]
      for (column, other) in right.enumerated() {
        next.append(min(row[column] + (word == other ? 0 : 1), row[column + 1] + 1, next[column] + 1))
      }
      row = next
    }
    return row[right.count]
  }
}
