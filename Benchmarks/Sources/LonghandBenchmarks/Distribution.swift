/// Values of the same kind.
struct Distribution {
  /// From the least to the greatest.
  private let sorted: [Double]

  init(_ values: [Double]) { sorted = values.sorted() }

  var count: Int { sorted.count }
  var longest: Double? { sorted.last }
  var least: Double? { sorted.first }
  /// The middle one, or the mean of the two in the middle.
  var median: Double? {
    guard !sorted.isEmpty else { return nil }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// Seconds as milliseconds.
  var inMilliseconds: Distribution { Distribution(sorted.map { $0 * 1000 }) }

  /// The least value that a share of the values is not above, by the nearest rank; nil if there are none.
  func quantile(_ share: Double) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let rank = (share * Double(sorted.count)).rounded(.up)
    return sorted[min(max(Int(rank), 1), sorted.count) - 1]
  }

  /// Which share of the values is not above `limit`.
  func share(upTo limit: Double) -> Double {
    Double(sorted.count(where: { $0 <= limit })) / Double(max(1, sorted.count))
  }
}
