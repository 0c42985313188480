/// The logarithms of the probabilities of the tokens that may follow a text, by token. What is not a number is never taken.
enum TokenRow {
  /// The likeliest token; the first of equal ones.
  static func best(_ row: [Float], without excluded: Set<Int>) -> Int? {
    // By the address: without optimization, as in tests, the elements of an array take longer than the decoder.
    row.withUnsafeBufferPointer { row in
      guard let values = row.baseAddress else { return nil }
      var best: Int?
      var most = -Float.infinity
      var token = 0
      while token < row.count {
        if values[token] > most, !excluded.contains(token) {
          best = token
          most = values[token]
        }
        token += 1
      }
      return best
    }
  }

  /// The likeliest tokens above a bound, the best first.
  static func best(_ row: [Float], count: Int, atLeast least: Float, without excluded: Set<Int>) -> [Int] {
    var found: [Int] = []
    row.withUnsafeBufferPointer { row in
      guard let values = row.baseAddress else { return }
      var token = 0
      while token < row.count {
        if values[token] >= least { found.append(token) }
        token += 1
      }
    }
    return Array(found.filter { !excluded.contains($0) }.sorted { row[$0] > row[$1] }.prefix(count))
  }
}
