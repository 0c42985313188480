#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// What runs or waits in `serve` is stopped, moved and removed.
  @Suite(.tagged(.childProcess)) struct ServeStopTests {
    private let library: KillableLibrary
    private let server: ServeProcess

    init() async throws {
      library = try KillableLibrary.slow()
      server = try await ServeProcess(in: library.folder, environment: library.environment)
    }

    /// Brings some files into the library; the sessions in the order of their turns.
    private func add(_ count: Int) throws -> [String] {
      let sound = try Data(contentsOf: URL(fileURLWithPath: library.talk))
      return try (0..<count).map { number in
        var sound = sound
        sound[sound.count - 1 - number * 2] ^= 1
        let body = ServeProcess.form(sound, [:])
        let answer = try HTTPConnection.ask(
          server.port, "POST", "/api/sessions", server.signedIn.merging(["Content-Type": body.type]) { $1 },
          body: body.body)
        return try #require(answer.json["id"] as? String)
      }
    }

    private func session(_ id: String) throws -> [String: Any] { try server.ask("/api/sessions/\(id)").json }

    private func isTranscribed(_ id: String) async -> Bool {
      await eventually { (try? session(id)["segmentCount"] as? Int) ?? 0 > 0 }
    }

    @Test func sessionsOfAQueueStopMoveAndContinue() async throws {
      let ids = try add(4)
      #expect(await isTranscribed(ids[0]))
      #expect(try ids.map { try session($0)["position"] as? Int } == [nil, 1, 2, 3])
      let moved = try server.ask("POST", "/api/sessions/\(ids[3])/move", json: #"{"to": "first"}"#).json
      #expect(moved["waiting"] as? [String] == [ids[3], ids[1], ids[2]])
      #expect(
        try server.ask("POST", "/api/sessions/\(ids[2])/move", json: #"{"to": "up"}"#).json["waiting"]
          as? [String] == [ids[3], ids[2], ids[1]])
      #expect(
        try server.ask("POST", "/api/sessions/\(ids[0])/move", json: #"{"to": "up"}"#).code == "not_waiting")
      // One that waits, and the one that runs: the next one has its turn.
      #expect(try server.ask("POST", "/api/sessions/\(ids[3])/stop").json["state"] as? String == "stopped")
      let stopped = try server.ask("POST", "/api/sessions/\(ids[0])/stop").json
      #expect(stopped["state"] as? String == "stopped")
      #expect(stopped["canResume"] as? Bool == true)
      #expect((stopped["coverage"] as? [String: Double])?["pending"] ?? 0 > 0)
      #expect(stopped["segmentCount"] as? Int ?? 0 > 0)
      #expect(try server.ask("POST", "/api/sessions/\(ids[0])/stop").code == "not_working")
      #expect(await isTranscribed(ids[2]))
      #expect(try server.ask("DELETE", "/api/sessions/\(ids[2])").code == "is_recording")
      #expect(try server.ask("DELETE", "/api/sessions/\(ids[2])?stop=true").status == 204)
      #expect(try server.ask("/api/sessions/\(ids[2])").status == 404)
      // By another process.
      #expect(try await library.run("stop", ids[1]).status == 0)
      #expect(try session(ids[1])["state"] as? String == "stopped")
      #expect(try server.ask("POST", "/api/sessions/\(ids[0])/resume").status == 202)
      #expect(await eventually { (try? session(ids[0])["state"] as? String) == "transcribing" })
      #expect(try session(ids[3])["state"] as? String == "stopped")
    }

    @Test func nextServerLeavesStoppedSessionsAlone() async throws {
      let ids = try add(2)
      #expect(await isTranscribed(ids[0]))
      for id in ids.reversed() { #expect(try server.ask("POST", "/api/sessions/\(id)/stop").status == 200) }
      _ = try await server.stop()
      let next = try await ServeProcess(in: library.folder)
      let waits = try ids.map { try next.ask("/api/sessions/\($0)").json["state"] as? String }
      #expect(waits == ["stopped", "stopped"])
      #expect(next.children.isEmpty)
    }

    @Test func uploadStopsForEveryClient() async throws {
      let begun = try server.ask(
        "POST", "/api/uploads", json: #"{"name": "a.wav", "size": 10, "modified": 1}"#)
      let id = try #require(begun.json["id"] as? String)
      func put() throws -> HTTPConnection.Response {
        try HTTPConnection.ask(
          server.port, "PUT", "/api/uploads/\(id)?offset=0", server.signedIn, body: Data("abc".utf8))
      }
      #expect(try await library.run("stop", id).status == 0)
      #expect(try put().code == "stopped")
      #expect(try await library.run("stop").output.contains(" stopped "))
      #expect(try server.ask("POST", "/api/uploads/\(id)/resume").json["isStopped"] as? Bool == false)
      #expect(try put().json["received"] as? Int == 3)
      #expect(try server.ask("POST", "/api/uploads/\(id)/stop").json["isStopped"] as? Bool == true)
      #expect(try await library.run("delete", id).status == 0)
      #expect(try server.ask("/api/uploads/\(id)").status == 404)
    }

    @Test func watchedFolderIsLeftByAnotherProcess() async throws {
      let folder = library.folder.path("temporary")
      #expect(try server.ask("PUT", "/api/watch", json: "{\"folder\": \"\(folder)\"}").status == 200)
      #expect(try await library.run("stop", "--watch").status == 0)
      #expect(try server.ask("/api/watch").json["folder"] is NSNull)
    }
  }
#endif
