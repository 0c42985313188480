import Foundation

@testable import FoundationModels

/// `server.py`, which answers as it is told; it ends with this object.
final class ScriptedServer: Sendable {
  /// What it answers; see `server.py`.
  struct Answer: Encodable {
    var status: Int?
    var headers: [String: String]?
    var body: String?
    var events: [String]?
    var end: String?
    var endless: Int?
    var split: Int?
    var gate: Bool?

    /// Text in pieces.
    static func text(_ pieces: String..., finish: String = "stop", end: String? = nil, split: Int? = nil)
      -> Answer
    {
      Answer(events: pieces.map(Self.delta) + [Self.finish(finish)], end: end, split: split)
    }

    /// Pieces without an end.
    static func pieces(_ pieces: String..., end: String, gate: Bool? = nil) -> Answer {
      Answer(events: pieces.map(Self.delta), end: end, gate: gate)
    }

    static func error(_ status: Int, _ message: String, type: String = "", code: String? = nil) -> Answer {
      var fields: KeyValuePairs<String, any ConvertibleToGeneratedContent> = [
        "message": message, "type": type,
      ]
      if let code { fields = ["message": message, "type": type, "code": code] }
      let error = GeneratedContent(properties: fields)
      return Answer(status: status, body: GeneratedContent(properties: ["error": error]).jsonString)
    }

    /// A call of a tool, its arguments in two pieces.
    static func call(_ id: String, _ tool: String, _ arguments: String...) -> Answer {
      let pieces = arguments.enumerated().map { index, piece in
        let name = index == 0 ? #""id": "\#(id)", "type": "function", "# : ""
        let tool = index == 0 ? #""name": "\#(tool)", "# : ""
        let text = piece.generatedContent.jsonString
        return
          #"{"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, \#(name)"function": {\#(tool)"arguments": \#(text)}}]}}]}"#
      }
      return Answer(events: pieces + [Self.finish("tool_calls")])
    }

    static func delta(_ text: String) -> String {
      #"{"model": "tiny", "choices": [{"index": 0, "delta": {"content": \#(text.generatedContent.jsonString)}}]}"#
    }

    static func finish(_ reason: String) -> String {
      #"{"choices": [{"index": 0, "delta": {}, "finish_reason": "\#(reason)"}]}"#
    }
  }

  /// What it was asked.
  struct Request: Decodable {
    let path: String
    let headers: [String: String]
    let body: String

    var content: GeneratedContent { get throws { try GeneratedContent(json: body) } }
  }

  struct NotStarted: Error {}

  let port: Int
  private let folder: URL
  private let input = Pipe()
  private let process = Process()

  /// - Parameter everywhere: whether it listens on all addresses of this machine.
  init(everywhere: Bool = false, _ answers: Answer...) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "model-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try JSONEncoder().encode(answers).write(to: folder.appendingPathComponent("answers.json"))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../server.py").standardized
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path, folder.path] + (everywhere ? ["0.0.0.0"] : [])
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // Not in a thread that tests run in.
    let line = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: output.fileHandleForReading.availableData)
      }
    }
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let port = Int(text) else { throw NotStarted() }
    self.port = port
  }

  deinit {
    try? input.fileHandleForWriting.close()
    let (process, folder) = (process, folder)
    DispatchQueue.global().async {
      process.waitUntilExit()
      try? FileManager.default.removeItem(at: folder)
    }
  }

  /// Ends it, and waits until it has.
  func stop() async {
    try? input.fileHandleForWriting.close()
    let process = process
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        process.waitUntilExit()
        continuation.resume()
      }
    }
  }

  /// The model behind it.
  func model(_ environment: [String: String] = [:], host: String = "127.0.0.1") -> SystemLanguageModel {
    let own = ["FOUNDATION_MODEL_ENDPOINT": "http://\(host):\(port)/v1"]
    return SystemLanguageModel(
      configuration: ModelConfiguration(environment: own.merging(environment) { $1 }))
  }

  var requests: [Request] {
    get throws {
      let file = folder.appendingPathComponent("requests.jsonl")
      guard FileManager.default.fileExists(atPath: file.path) else { return [] }
      return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }
  }

  /// How often somebody connected.
  var connections: Int {
    (try? Data(contentsOf: folder.appendingPathComponent("connections")).count) ?? 0
  }

  /// Waits until it was asked so often.
  func waitForRequests(_ count: Int) async throws {
    while try requests.count < count { try await Task.sleep(for: .milliseconds(2)) }
  }

  /// Waits until a client went away from an answer that hangs.
  func waitUntilLeft() async throws {
    let path = folder.appendingPathComponent("gone").path
    while !FileManager.default.fileExists(atPath: path) { try await Task.sleep(for: .milliseconds(2)) }
  }

  /// Lets the first pieces of a gated answer go.
  func release(_ count: Int) throws {
    try Data(count: count).write(to: folder.appendingPathComponent("go"))
  }
}
