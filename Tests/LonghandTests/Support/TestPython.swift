import Foundation
import TestSupport

/// Asks a Python program for a second opinion; `Scripts/test-python` makes the Python where it is missing.
enum TestPython {
  private static let path = Result {
    try Program.output(of: [Folder.package.appendingPathComponent("Scripts/test-python").path])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Runs `script` with `input` as JSON in the file `sys.argv[1]`, and reads the JSON that it prints.
  static func answer<Input: Encodable, Output: Decodable>(
    _ script: String, to input: Input, as: Output.Type = Output.self
  ) throws -> Output {
    let python = try path.get()
    return try Folder.temporary { folder in
      let file = folder.appendingPathComponent("input.json")
      try JSONEncoder().encode(input).write(to: file)
      let output = try Program.output(of: [python, "-c", script, file.path])
      return try JSONDecoder().decode(Output.self, from: Data(output.utf8))
    }
  }
}
