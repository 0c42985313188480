/// Finds the name that a mistyped one was meant to be.
enum NearestName {
  /// The closest of `names`, or `nil` when none is close enough to be worth guessing.
  static func suggestion(for typed: String, among names: [String]) -> String? {
    // A name that was cut short, unless several begin like it.
    let beginning = names.filter { typed.count > 3 && $0.hasPrefix(typed) }
    if beginning.count == 1 { return beginning.first }
    let limit = max(1, typed.drop { $0 == "-" }.count / 3)
    let ranked = names.map { name in (name: name, distance: distance(typed, name)) }
    // `min` keeps the first of equals, so the answer does not depend on chance.
    guard let nearest = ranked.min(by: { $0.distance < $1.distance }), nearest.distance <= limit else {
      return nil
    }
    return nearest.name
  }

  /// How many letters must be put in, left out, replaced, or swapped with their neighbour.
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
