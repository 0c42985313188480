import Foundation

/// Praat itself, by way of `praat.py`.
enum Praat {
  /// What Praat measured in one recording; see `praat.py` for the units.
  struct Measurement: Decodable {
    var frequencies: [Double]
    var pulses: [Double]
    var jitter: Double
    var shimmer: Double
  }

  /// A script that did not do its work; its own words went to standard error.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Has Praat measure recordings. Installs it first if need be.
  static func measure(_ recordings: [URL]) throws -> [Measurement] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = folder.appending(path: "../../..").standardizedFileURL
    let python = try run(root.appending(path: "Scripts/test-python"), [])
    let path = String(decoding: python, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    let arguments = [folder.appending(path: "praat.py").path] + recordings.map(\.path)
    let output = try run(URL(fileURLWithPath: path), arguments)
    return try JSONDecoder().decode([Measurement].self, from: output)
  }

  private static func run(_ executable: URL, _ arguments: [String]) throws -> Data {
    let process = Process()
    let output = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(executable.path) ended with status \(process.terminationStatus)")
    }
    return data
  }
}
