import Foundation

/// A language model's server that answers every question as a test says; it ends with this object.
final class ModelServer: Sendable {
  private let folder: TemporaryFolder
  private let input = Pipe()
  private let port: String

  /// - Parameter answer: what it answers every time, in JSON; see `server.py`.
  init(_ answer: String) async throws {
    folder = try TemporaryFolder()
    try folder.write("[\(answer)]", to: "answers.json")
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../FoundationModelsTests/server.py").standardized
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path, folder.url.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    port = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        continuation.resume(returning: line.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
  }

  deinit { try? input.fileHandleForWriting.close() }

  /// An answer that says `text`, and then ends as `server.py` knows it.
  static func text(_ text: String, end: String = "done") throws -> String {
    let content = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    return """
      {"events": ["{\\"choices\\": [{\\"index\\": 0, \\"delta\\": {\\"content\\": \
      \(content.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\""))}}]}", \
      "{\\"choices\\": [{\\"index\\": 0, \\"delta\\": {}, \\"finish_reason\\": \\"stop\\"}]}"], "end": "\(end)"}
      """
  }

  /// What makes a program ask it.
  var environment: [String: String] { ["FOUNDATION_MODEL_ENDPOINT": "http://127.0.0.1:\(port)/v1"] }

  /// The roles of the messages in the first question.
  var roles: [String] {
    ((try? folder.read("requests.jsonl")) ?? "").split(separator: "\n").prefix(1).flatMap { line in
      line.matches(of: #/\\"role\\": \\"(\w+)\\"/#).map { String($0.1) }
    }
  }

  /// How often it was asked.
  var questions: Int {
    ((try? folder.read("requests.jsonl")) ?? "").split(separator: "\n").count
  }
}
