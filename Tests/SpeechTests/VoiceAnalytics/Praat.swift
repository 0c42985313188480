import Foundation
import TestSupport

/// Praat itself, by way of `praat.py`.
enum Praat {
  /// What Praat measured in one recording; see `praat.py` for the units.
  struct Measurement: Decodable {
    var frequencies: [Double]
    var pulses: [Double]
    var jitter: Double
    var shimmer: Double
  }

  /// Has Praat measure recordings. Installs it first if need be.
  static func measure(_ recordings: [URL]) throws -> [Measurement] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = folder.appending(path: "../../..").standardizedFileURL
    let path = try Program.output(of: [root.appending(path: "Scripts/test-python").path])
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let script = folder.appending(path: "praat.py").path
    let output = try Program.output(of: [path, script] + recordings.map(\.path))
    return try JSONDecoder().decode([Measurement].self, from: Data(output.utf8))
  }
}
