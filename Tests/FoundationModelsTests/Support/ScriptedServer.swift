import Foundation

@testable import FoundationModels

/// Runs `server.py`, which sends prepared answers. It ends with this object.
final class ScriptedServer: Sendable {
  /// A prepared answer; see `server.py`.
  struct Answer: Encodable {
    var status: Int?
    var headers: [String: String]?
    var body: String?
    var events: [String]?
    var end: String?
    var endless: Int?
    var split: Int?
    var gate: Bool?

    /// Text in several events.
    static func text(_ fragments: String..., finish: String = "stop", end: String? = nil, split: Int? = nil)
      -> Answer
    {
      Answer(events: fragments.map(Self.delta) + [Self.finish(finish)], end: end, split: split)
    }

    /// Events without an end of the answer.
    static func unfinished(_ fragments: String..., end: String, gate: Bool? = nil) -> Answer {
      Answer(events: fragments.map(Self.delta), end: end, gate: gate)
    }

    static func error(_ status: Int, _ message: String, type: String = "", code: String? = nil) -> Answer {
      var fields: KeyValuePairs<String, any ConvertibleToGeneratedContent> = [
        "message": message, "type": type,
      ]
      if let code { fields = ["message": message, "type": type, "code": code] }
      let error = GeneratedContent(properties: fields)
      return Answer(status: status, body: GeneratedContent(properties: ["error": error]).jsonString)
    }

    /// A call of a tool, with its arguments in several events.
    static func call(_ id: String, _ tool: String, _ arguments: String...) -> Answer {
      let events = arguments.enumerated().map { index, fragment in
        let name = index == 0 ? #""id": "\#(id)", "type": "function", "# : ""
        let tool = index == 0 ? #""name": "\#(tool)", "# : ""
        let text = fragment.generatedContent.jsonString
        return
          #"{"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, \#(name)"function": {\#(tool)"arguments": \#(text)}}]}}]}"#
      }
      return Answer(events: events + [Self.finish("tool_calls")])
    }

    static func delta(_ text: String) -> String {
      #"{"model": "tiny", "choices": [{"index": 0, "delta": {"content": \#(text.generatedContent.jsonString)}}]}"#
    }

    static func finish(_ reason: String) -> String {
      #"{"choices": [{"index": 0, "delta": {}, "finish_reason": "\#(reason)"}]}"#
    }
  }

  /// A request that the server received.
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

  /// - Parameter everywhere: whether it accepts connections on all addresses of this machine.
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
    // Waits on a thread outside Swift concurrency.
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

  /// Stops the server and waits for its end.
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

  /// A model that uses this server.
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

  /// The number of connections.
  var connections: Int {
    (try? Data(contentsOf: folder.appendingPathComponent("connections")).count) ?? 0
  }

  /// Waits until this number of requests has arrived.
  func waitForRequests(_ count: Int) async throws {
    while try requests.count < count { try await Task.sleep(for: .milliseconds(2)) }
  }

  /// Waits until a client has closed the connection of an unfinished answer.
  func waitUntilLeft() async throws {
    let path = folder.appendingPathComponent("gone").path
    while !FileManager.default.fileExists(atPath: path) { try await Task.sleep(for: .milliseconds(2)) }
  }

  /// Lets a gated answer send its first events.
  func release(_ count: Int) throws {
    try Data(count: count).write(to: folder.appendingPathComponent("go"))
  }
}
