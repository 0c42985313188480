import Foundation
import TestSupport

@testable import FoundationModels

/// llama.cpp's server with a model of random weights. The full run builds both. The server ends with this object.
final class LlamaServer: Sendable {
  struct Failed: Error { let program: String }

  let port: Int
  private let folder: URL
  private let process = Process()

  init() async throws {
    let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
    let python = try await Self.line(of: [package.path + "/Scripts/test-python", "models"])
    let server = try await Self.line(of: [package.path + "/Scripts/test-model-server"])
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "llama-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let model = folder.appendingPathComponent("tiny.gguf").path
    let script = package.path + "/Tests/FoundationModelsTests/model.py"
    try await Program.output(of: [python, script, model])
    let free = "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"
    guard let port = Int(try await Self.line(of: [python, "-c", free])) else {
      throw Failed(program: python)
    }
    self.port = port
    process.executableURL = URL(fileURLWithPath: server)
    process.arguments = [
      "--model", model, "--host", "127.0.0.1", "--port", "\(port)", "--ctx-size", "4096", "--threads", "1",
      // Without --no-context-shift it would shorten a prompt that is too long and answer the rest.
      "--seed", "1", "--no-context-shift",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    // It may be sending an endless answer.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  var model: SystemLanguageModel {
    SystemLanguageModel(
      configuration: ModelConfiguration(
        environment: ["FOUNDATION_MODEL_ENDPOINT": "http://127.0.0.1:\(port)/v1"]))
  }

  /// Waits until the server has loaded the model.
  func waitUntilReady() async throws {
    while true {
      do {
        try await LanguageModelSession(model: model).respond(
          to: "a", options: GenerationOptions(maximumResponseTokens: 1))
        return
      } catch LanguageModelSession.GenerationError.assetsUnavailable {
        guard process.isRunning else { throw Failed(program: "llama-server") }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  private static func line(of command: [String]) async throws -> String {
    try await Program.output(of: command).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
