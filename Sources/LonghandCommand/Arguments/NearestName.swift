/// Suggests a name for a mistyped one.
enum NearestName {
  /// The closest of `names`; `nil` when none is close enough.
  static func suggestion(for typed: String, among names: [String]) -> String? {
    // An abbreviation of exactly one name.
    let beginning = names.filter { typed.count > 3 && $0.hasPrefix(typed) }
    if beginning.count == 1 { return beginning.first }
    let limit = max(1, typed.drop { $0 == "-" }.count / 3)
    let ranked = names.map { name in (name: name, distance: distance(typed, name)) }
    // `min` returns the first of equals, so the result is deterministic.
    guard let nearest = ranked.min(by: { $0.distance < $1.distance }), nearest.distance <= limit else {
      return nil
    }
    return nearest.name
  }

  /// The number of insertions, deletions, replacements, and swaps of neighbours between two names.
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replacing = previous[column] + (left[row] == right[column] ? 0 : 1)
        var best = min(replacing, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforePrevious[column - 1] + 1)
        }
        current.append(best)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }
}
