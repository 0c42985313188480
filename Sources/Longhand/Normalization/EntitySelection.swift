/// Decides which of the names that words are near stand.
struct EntitySelection {
  let index: EntityIndex
  let names: [String]

  /// Matches that do not overlap, in order.
  func chosen(exact: [EntityMatch], fuzzy: [EntityMatch]) -> [EntityMatch] {
    // The best first; of equals the one with fewer words, then the one further to the left.
    let ranked = fuzzy.sorted { left, right in
      (right.score, left.words.count, left.words.lowerBound, left.entity)
        < (left.score, right.words.count, right.words.lowerBound, right.entity)
    }
    var chosen = exact
    var blocked: [Range<Int>] = exact.map(\.words)
    for (rank, match) in ranked.enumerated() {
      if blocked.contains(where: { $0.overlaps(match.words) }) { continue }
      blocked.append(match.words)
      // Whatever else is nearly as good there comes soon.
      let rival = ranked[(rank + 1)...].prefix { $0.score > match.score - EntityMatcher.margin }
        .first { $0.entity != match.entity && $0.words.overlaps(match.words) }
      if rival == nil { chosen.append(match) }
    }
    return chosen.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}
