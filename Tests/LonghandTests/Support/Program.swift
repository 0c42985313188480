import Foundation

/// Runs another program to its end.
struct Program {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// What the program wrote to standard output.
  ///
  /// - Throws: `Failure` with what it wrote to standard error, when it did not end with status 0.
  static func output(of command: [String]) throws -> String {
    try Folder.temporary { folder in
      // Files and not pipes: nobody has to empty them while the program runs.
      let output = folder.appendingPathComponent("output")
      let errors = folder.appendingPathComponent("errors")
      for file in [output, errors] { try Data().write(to: file) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = command
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        let why = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        throw Failure(description: "\(command.first ?? "") ended with \(process.terminationStatus): \(why)")
      }
      return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }
  }
}

enum Folder {
  /// The package's own folder.
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A folder that is removed afterwards.
  static func temporary<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "longhand-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}
