import Foundation

/// The figures of a run, in the order of measurement.
struct Report: Encodable {
  private(set) var figures: [Figure] = []

  mutating func add(_ name: String, _ value: Double, unit: Figure.Unit, goal: Goal? = nil) {
    figures.append(Figure(name: name, unit: unit, longhand: value, goal: goal))
  }

  /// Adds the median and the 95th percentile of values; nothing if there are none.
  mutating func add(
    _ name: String, _ values: Distribution, unit: Figure.Unit, goal: Goal? = nil, withLongest: Bool = false
  ) {
    guard let median = values.median, let high = values.quantile(0.95), let longest = values.longest else {
      return
    }
    add("\(name), median", median, unit: unit)
    add("\(name), 95th percentile", high, unit: unit, goal: withLongest ? nil : goal)
    if withLongest { add("\(name), longest", longest, unit: unit, goal: goal) }
  }

  mutating func compare(_ name: String, _ longhand: Double, _ pocketsphinx: Double, unit: Figure.Unit) {
    figures.append(
      Figure(
        name: name, unit: unit, longhand: longhand, pocketsphinx: pocketsphinx,
        ratio: pocketsphinx > 0 ? longhand / pocketsphinx : nil))
  }

  /// The figures as a plain table.
  var table: String {
    let rows =
      [["", "longhand", "pocketsphinx", "ratio", "asked for"]]
      + figures.map { figure in
        [
          figure.name, figure.text(figure.longhand), figure.pocketsphinx.map(figure.text) ?? "",
          figure.ratio.map { String(format: "%.3f", $0) } ?? "", figure.goalText,
        ]
      }
    let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let first = row[0].padding(toLength: widths[0], withPad: " ", startingAt: 0)
      let rest = (1..<5).map { String(repeating: " ", count: widths[$0] - row[$0].count) + row[$0] }
      return ([first] + rest).joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// The figures as one line of JSON.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

/// The distribution of values of one kind.
struct Distribution {
  /// In ascending order.
  private let sorted: [Double]

  init(_ values: [Double]) { sorted = values.sorted() }

  var count: Int { sorted.count }
  var longest: Double? { sorted.last }
  var least: Double? { sorted.first }
  /// The middle value, or the mean of the two in the middle.
  var median: Double? {
    guard !sorted.isEmpty else { return nil }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// The values, in seconds, as milliseconds.
  var inMilliseconds: Distribution { Distribution(sorted.map { $0 * 1000 }) }

  /// The smallest value that is at least as large as a share of the values, by the nearest rank; nil without values.
  func quantile(_ share: Double) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let rank = (share * Double(sorted.count)).rounded(.up)
    return sorted[min(max(Int(rank), 1), sorted.count) - 1]
  }

  /// The share of the values that are at most `limit`.
  func share(upTo limit: Double) -> Double {
    Double(sorted.count(where: { $0 <= limit })) / Double(max(1, sorted.count))
  }
}
