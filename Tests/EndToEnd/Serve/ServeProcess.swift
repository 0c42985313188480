#if os(Linux)
  import Foundation
  import TestSupport

  /// A `longhand serve` process on a free port. It is killed with this object, unless it has ended.
  final class ServeProcess: Sendable {
    let folder: TemporaryFolder
    let process: LonghandProcess
    /// The page's address, with the token.
    let address: String
    let port: Int
    /// The token in the address; empty if there is none.
    let token: String
    /// The headers of a client that has the token.
    var signedIn: [String: String] { token.isEmpty ? [:] : ["Authorization": "Bearer \(token)"] }

    /// - Parameters:
    ///   - arguments: further arguments.
    ///   - command: a shell command before the server's, in the same process.
    init(
      _ arguments: [String] = [], in folder: TemporaryFolder, environment: [String: String] = [:],
      after command: String = ":"
    ) async throws {
      self.folder = folder
      let (out, err) = (folder.path("serve-output"), folder.path("serve-errors"))
      // The output of an earlier server.
      try? FileManager.default.removeItem(atPath: out)
      let words = (["--library", folder.path("library")] + arguments).map { "'\($0)'" }
        .joined(separator: " ")
      let process = try LonghandProcess(
        ["\(command); exec longhand serve --port 0 \(words) >'\(out)' 2>'\(err)'"],
        environment: ["XDG_CONFIG_HOME": folder.path("config")].merging(environment) { $1 }, shell: true)
      self.process = process
      let isUp = await eventually {
        !process.isRunning || (try? folder.read("serve-output"))?.contains("\n") == true
      }
      guard isUp, process.isRunning else {
        throw LonghandProcess.DeadlineExceeded(errors: (try? folder.read("serve-errors")) ?? "")
      }
      address = try folder.read("serve-output").trimmingCharacters(in: .whitespacesAndNewlines)
      port = URL(string: address)?.port ?? 0
      let query = URLComponents(string: address)?.queryItems
      token = query?.first { $0.name == "token" }?.value ?? ""
    }

    deinit { if process.isRunning { process.send(SIGKILL) } }

    /// Ends the server with Control-C, and waits for its end.
    func stop() async throws -> LonghandProcess.Result {
      process.send(SIGINT)
      return try await process.result()
    }

    /// One request.
    func ask(
      _ method: String = "GET", _ target: String, _ headers: [String: String] = [:], json: String? = nil
    ) throws -> HTTPConnection.Response {
      try HTTPConnection.ask(port, method, target, signedIn.merging(headers) { $1 }, json: json)
    }

    /// The number of open descriptors but those of the store, whose readers are opened when they are needed.
    var descriptors: Int {
      let folder = "/proc/\(process.identifier)/fd"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.count { name in
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
        return path?.contains("transcripts.sqlite") != true
      }
    }

    /// The process IDs of its children.
    var children: [String] {
      let folder = "/proc/\(process.identifier)/task"
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return threads.flatMap { thread in
        ((try? String(contentsOfFile: "\(folder)/\(thread)/children", encoding: .utf8)) ?? "")
          .split(separator: " ").map(String.init)
      }
    }

    /// Its resident memory in bytes.
    var residentBytes: Int {
      let pages = (try? String(contentsOfFile: "/proc/\(process.identifier)/statm", encoding: .utf8))?
        .split(separator: " ")
      return (pages?[1]).flatMap { Int($0) }.map { $0 * 4096 } ?? 0
    }

    /// The body of a form with a file.
    static func form(_ file: Data, _ fields: [String: String] = ["model": "longhand"]) -> (
      type: String, body: Data
    ) {
      var body = Data()
      for (name, value) in fields {
        body += Data("--bound\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
      }
      body += Data(
        "--bound\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n\r\n".utf8)
      return ("multipart/form-data; boundary=bound", body + file + Data("\r\n--bound--\r\n".utf8))
    }
  }
#endif
