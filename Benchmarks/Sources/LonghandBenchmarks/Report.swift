import Foundation

/// The figures of a run, in the order in which they were measured.
struct Report: Encodable {
  private(set) var figures: [Figure] = []

  mutating func add(_ name: String, _ value: Double, unit: Figure.Unit) {
    figures.append(Figure(name: name, unit: unit, longhand: value))
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
      [["", "longhand", "pocketsphinx", "ratio"]]
      + figures.map { figure in
        [
          figure.name, figure.text(figure.longhand), figure.pocketsphinx.map(figure.text) ?? "",
          figure.ratio.map { String(format: "%.3f", $0) } ?? "",
        ]
      }
    let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let first = row[0].padding(toLength: widths[0], withPad: " ", startingAt: 0)
      let rest = (1..<4).map { String(repeating: " ", count: widths[$0] - row[$0].count) + row[$0] }
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
