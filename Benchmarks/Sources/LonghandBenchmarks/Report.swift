import Foundation

/// The figures of a run, in the order in which they were measured.
struct Report: Encodable {
  private(set) var figures: [Figure] = []

  mutating func add(_ name: String, _ value: Double, unit: Figure.Unit, goal: Goal? = nil) {
    figures.append(Figure(name: name, unit: unit, longhand: value, goal: goal))
  }

  /// The middle of some values and what 95 of 100 of them are not above; nothing if there are none.
  mutating func add(
    _ name: String, _ values: Distribution, unit: Figure.Unit, goal: Goal? = nil, withLongest: Bool = false
  ) {
    guard let median = values.median, let most = values.quantile(0.95), let longest = values.longest else {
      return
    }
    add("\(name), median", median, unit: unit)
    add("\(name), 95th percentile", most, unit: unit, goal: withLongest ? nil : goal)
    if withLongest { add("\(name), longest", longest, unit: unit, goal: goal) }
  }

  mutating func compare(_ name: String, _ longhand: Double, _ pocketsphinx: Double, unit: Figure.Unit) {
    figures.append(
      Figure(
        name: name, unit: unit, longhand: longhand, pocketsphinx: pocketsphinx,
        ratio: pocketsphinx > 0 ? longhand / pocketsphinx : nil))
  }

  /// A plain table.
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

  /// The same, for programs: one line.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
