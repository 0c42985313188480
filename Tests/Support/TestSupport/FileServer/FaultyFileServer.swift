#if os(Linux)
  import Foundation

  /// `server.py` with its own folder: an HTTP server with faults. It ends with this object.
  package final class FaultyFileServer {
    package let address: URL
    package let root: URL
    private let log: URL
    private let process = Process()
    private let input = Pipe()

    package struct NotStarted: Error {}

    package init() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "file-server-\(UUID().uuidString)")
      root = folder.appendingPathComponent("root")
      log = folder.appendingPathComponent("log.txt")
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "server.py")
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["python3", script.path, root.path, log.path]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)),
        let url = URL(string: "http://127.0.0.1:\(port)")
      else { throw NotStarted() }
      address = url
    }

    deinit {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
      try? FileManager.default.removeItem(at: root.deletingLastPathComponent())
    }

    /// The requests: a path, and the range or `-`.
    package var requests: [String] {
      ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    /// Continues the transfers that `hold` stopped.
    package func release() throws { try Data().write(to: root.appendingPathComponent("release")) }

    /// Sets the faults of paths; see `server.py`.
    package func fail(_ faults: [String: [String: Any]]) throws {
      try JSONSerialization.data(withJSONObject: faults).write(to: root.appendingPathComponent("faults.json"))
    }
  }
#endif
