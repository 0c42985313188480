/// The times of a text's tokens, for another text of the same audio: aligning each text costs as much as several tokens.
package enum TokenTimes {
  /// Equal tokens have equal times, and others share the time between them by their length.
  /// - Parameters:
  ///   - times: when each token begins, and when the last one ends.
  ///   - tokens: the tokens with these times.
  ///   - others: the tokens of the other text.
  ///   - length: the length of a token, such as its letters.
  /// - Returns: when each of the others begins, and when the last one ends.
  package static func times(
    _ times: [Double], of tokens: [Int], for others: [Int], length: (Int) -> Int
  ) -> [Double] {
    guard let start = times.first, let end = times.last, times.count == tokens.count + 1 else {
      return [Double](repeating: 0, count: others.count + 1)
    }
    let changes = others.difference(from: tokens)
    var removed: Set<Int> = [], inserted: Set<Int> = []
    for change in changes {
      switch change {
      case .remove(let position, _, _): removed.insert(position)
      case .insert(let position, _, _): inserted.insert(position)
      }
    }
    let same = zip(
      tokens.indices.filter { !removed.contains($0) }, others.indices.filter { !inserted.contains($0) })
    var found = [Double](repeating: end, count: others.count + 1)
    var (index, otherIndex) = (0, 0)
    for (next, otherNext) in Array(same) + [(tokens.count, others.count)] {
      // Where nothing is replaced, what is added takes no time.
      let begin = times[index]
      let lengths = (otherIndex..<otherNext).map { Double(max(1, length(others[$0]))) }
      let total = max(1, lengths.reduce(0, +))
      var done = 0.0
      for (offset, own) in lengths.enumerated() {
        found[otherIndex + offset] = max(start, begin + (times[next] - begin) * done / total)
        done += own
      }
      if otherNext < others.count { found[otherNext] = times[next] }
      (index, otherIndex) = (next + 1, otherNext + 1)
    }
    return found
  }
}
