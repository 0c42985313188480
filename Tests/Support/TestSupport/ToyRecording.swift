import Foundation

/// A recording in `Tests/Models/recordings`, with its words.
package struct ToyRecording: Sendable {
  /// The name of the file.
  package let name: String
  /// The words, with their times in seconds.
  package let words: [(text: String, start: Double, end: Double)]

  /// The words as one text.
  package var text: String { words.map(\.text).joined(separator: " ") }

  /// All recordings whose names begin with a text.
  package static func all(_ prefix: String) throws -> [ToyRecording] {
    let list = ToyModel.models.appendingPathComponent("recordings/references.tsv")
    return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").dropFirst().compactMap {
      line in
      let fields = line.split(separator: "\t")
      guard fields.count == 2, fields[0].hasPrefix(prefix) else { return nil }
      let words = fields[1].split(separator: " ").map { word -> (String, Double, Double) in
        let parts = word.split(separator: ":")
        return (String(parts[0]), Double(parts[1]) ?? 0, Double(parts[2]) ?? 0)
      }
      return ToyRecording(name: String(fields[0]), words: words)
    }
  }

  /// The samples: 16 kHz, mono, after a header of 44 bytes.
  package func samples() throws -> [Int16] {
    let data = try Data(contentsOf: ToyModel.models.appendingPathComponent("recordings/\(name)"))
    return data.dropFirst(44).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }
}
