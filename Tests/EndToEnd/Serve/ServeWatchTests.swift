#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The folder that `serve` watches.
  @Suite(.tagged(.recognizer, .childProcess)) struct ServeWatchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names(_ server: ServeProcess) -> [String] {
      let sessions = (try? server.ask("/api/sessions"))?.json["sessions"] as? [[String: Any]] ?? []
      return sessions.compactMap { $0["source"] as? String }.sorted()
    }

    private func list(_ name: String, _ server: ServeProcess) -> [Any]? {
      (try? server.ask("/api/watch"))?.json[name] as? [Any]
    }

    @Test func filesThatArriveAreImportedOnceByTheirContent() async throws {
      let talk = try Data(contentsOf: URL(fileURLWithPath: Recordings.short))
      let other = try Data(contentsOf: URL(fileURLWithPath: Recordings.paths[4]))
      try folder.write(talk, to: "in/day/talk.wav")
      try folder.write("no audio", to: "in/bad.wav")
      try folder.write("no recording", to: "in/notes.txt")
      // A program that has the file open still writes to it, however slowly.
      let growing = try folder.write(other.prefix(20_000), to: "in/growing.wav")
      let writer = try #require(FileHandle(forWritingAtPath: growing))
      try writer.seekToEnd()
      var server = try await ServeProcess(["--watch", folder.path("in")], in: folder)
      #expect(await eventually { names(server) == ["talk.wav"] && list("problems", server)?.count == 1 })
      let id = try #require(
        (try server.ask("/api/sessions").json["sessions"] as? [[String: Any]])?.first?["id"] as? String)
      #expect(list("waiting", server)?.count == 1)
      try writer.write(contentsOf: other.dropFirst(20_000))
      try writer.close()
      try folder.write(talk, to: "in/the same.wav")
      #expect(await eventually { names(server) == ["growing.wav", "talk.wav"] })
      #expect(await eventually { list("waiting", server)?.isEmpty == true })
      let grown = try #require(
        (try server.ask("/api/sessions").json["sessions"] as? [[String: Any]])?
          .first { $0["source"] as? String == "growing.wav" }?["id"] as? String)
      #expect(
        await eventually {
          (try? server.ask("/api/sessions/\(grown)"))?.json["state"] as? String == "complete"
        })
      let duration = try server.ask("/api/sessions/\(grown)").json["duration"] as? Double ?? 0
      #expect(abs(duration - (try Recordings.seconds(of: Recordings.paths[4]))) < 0.1)

      // What was deleted does not come back, also not after another start.
      #expect(await eventually { (try? server.ask("DELETE", "/api/sessions/\(id)"))?.status == 204 })
      #expect(try await server.stop().status == 130)
      server = try await ServeProcess(["--watch", folder.path("in")], in: folder)
      try folder.write(talk + [0], to: "in/new.wav")
      #expect(await eventually { names(server) == ["growing.wav", "new.wav"] })
      #expect(list("problems", server)?.count == 1)
      #expect(try await server.stop().status == 130)
    }

    @Test func folderIsChosenByARequestAndKept() async throws {
      try folder.write(try Data(contentsOf: URL(fileURLWithPath: Recordings.short)), to: "in/talk.wav")
      var server = try await ServeProcess(in: folder)
      let choose = { (path: String?) in
        try server.ask("PUT", "/api/watch", json: "{\"folder\": \(path.map { "\"\($0)\"" } ?? "null")}")
      }
      #expect(try server.ask("/api/watch").json["folder"] is NSNull)
      #expect(try choose(folder.path("nosuch")).code == "no_folder")
      #expect(try choose(folder.path("library/recordings")).code == "no_folder")
      #expect(try choose(folder.path("in")).json["folder"] as? String == folder.path("in"))
      #expect(await eventually { names(server) == ["talk.wav"] })
      #expect(try await server.stop().status == 130)
      server = try await ServeProcess(in: folder)
      #expect(try server.ask("/api/watch").json["folder"] as? String == folder.path("in"))
      #expect(try choose(nil).json["folder"] is NSNull)
      #expect(try await server.stop().status == 130)
    }
  }
#endif
