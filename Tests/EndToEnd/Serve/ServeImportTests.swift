#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Files that clients bring into the library of `serve`.
  @Suite(.tagged(.recognizer, .childProcess)) struct ServeImportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func state(of id: String, _ server: ServeProcess) -> String? {
      (try? server.ask("/api/sessions/\(id)"))?.json["state"] as? String
    }

    private func send(_ file: Data, to server: ServeProcess) throws -> HTTPConnection.Response {
      let form = ServeProcess.form(file, [:])
      return try HTTPConnection.ask(
        server.port, "POST", "/api/sessions", server.signedIn.merging(["Content-Type": form.type]) { $1 },
        body: form.body)
    }

    private func put(
      _ bytes: Data, at offset: Int, to id: String, _ server: ServeProcess
    ) throws -> HTTPConnection.Response {
      try HTTPConnection.ask(
        server.port, "PUT", "/api/uploads/\(id)?offset=\(offset)", server.signedIn, body: bytes)
    }

    @Test func fileIsImportedByOneRequest() async throws {
      let server = try await ServeProcess(in: folder)
      let file = try Data(contentsOf: URL(fileURLWithPath: Recordings.short))
      let answer = try send(file, to: server)
      #expect(answer.status == 201)
      let id = try #require(answer.json["id"] as? String)
      #expect(await eventually { state(of: id, server) == "complete" })
      #expect(try server.ask("/api/sessions/\(id)").json["segmentCount"] as? Int ?? 0 > 0)
      // The library has the audio, and not the file too.
      #expect(await eventually { !folder.has("library/uploads/\(id)") })

      let again = try send(file, to: server)
      #expect(again.status == 200)
      #expect(again.json["id"] as? String == id)
      #expect(again.json["isDuplicate"] as? Bool == true)

      let noAudio = try send(Data("no audio".utf8), to: server)
      #expect(noAudio.status == 400)
      #expect(noAudio.code == "undecodable")
      #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path("library/uploads"))) == [])
      #expect(try HTTPConnection.ask(server.port, "POST", "/api/uploads", json: "{}").status == 401)
    }

    @Test func uploadAndImportContinueAfterTheServerIsKilled() async throws {
      var server = try await ServeProcess(in: folder)
      let file = try Data(contentsOf: URL(fileURLWithPath: Recordings.long))
      let description =
        "{\"name\": \"talk.wav\", \"size\": \(file.count), \"modified\": 1, \"speakers\": 1}"
      let dated = try server.ask(
        "POST", "/api/uploads", json: #"{"name": "talk.wav", "size": 9, "modified": "2026-11-30"}"#)
      #expect(dated.status == 400)
      #expect(dated.text.contains("its member 'modified'"), "\(dated.text)")
      let begun = try server.ask("POST", "/api/uploads", json: description)
      #expect(begun.status == 201)
      let id = try #require(begun.json["id"] as? String)
      #expect(try put(file.prefix(100_000), at: 0, to: id, server).json["received"] as? Int == 100_000)
      #expect(try put(file.prefix(10), at: 0, to: id, server).code == "wrong_offset")
      server.process.send(SIGKILL)
      _ = try await server.process.result()

      server = try await ServeProcess(in: folder)
      let known = try server.ask("POST", "/api/uploads", json: description)
      #expect(known.json["id"] as? String == id)
      #expect(known.json["received"] as? Int == 100_000)
      #expect(try put(file.dropFirst(100_000), at: 100_000, to: id, server).status == 201)
      server.process.send(SIGKILL)
      _ = try await server.process.result()

      // Without a request: the server continues by itself.
      server = try await ServeProcess(in: folder)
      #expect(await eventually { state(of: id, server) == "complete" })
      let session = try server.ask("/api/sessions/\(id)").json
      #expect(session["source"] as? String == "talk.wav")
      #expect((session["coverage"] as? [String: Double])?["pending"] == 0)
      // As it was chosen when the upload began.
      let speakers = try server.ask("/api/sessions/\(id)/speakers").json["speakers"] as? [[String: Any]]
      #expect(speakers?.map { $0["basis"] as? String } == ["voice"])
    }

    @Test func namesNotesAndTagsAreChanged() async throws {
      let server = try await ServeProcess(in: folder)
      let file = try Data(contentsOf: URL(fileURLWithPath: Recordings.short))
      let id = try #require(try send(file, to: server).json["id"] as? String)
      let path = "/api/sessions/\(id)"
      let changed = try server.ask("PATCH", path, json: #"{"name": "Talk", "tags": ["a"], "note": "n"}"#)
      #expect(changed.json["name"] as? String == "Talk")
      let kept = try server.ask("PATCH", path, json: #"{"note": null}"#).json
      #expect(kept["name"] as? String == "Talk")
      #expect(kept["note"] is NSNull)
      #expect(kept["tags"] as? [String] == ["a"])
      #expect(try server.ask("PATCH", path, json: #"{"name": "last"}"#).status == 400)
      #expect(try server.ask("PATCH", path, json: #"{"tags": "a"}"#).status == 400)
      let tags = try server.ask("/api/tags").json["tags"] as? [[String: Any]]
      #expect(tags?.first?["tag"] as? String == "a")
      func listed(_ query: String) throws -> Int? {
        (try server.ask("/api/sessions?\(query)").json["sessions"] as? [Any])?.count
      }
      #expect(try listed("tag=a") == 1)
      #expect(try listed("tag=b") == 0)
      #expect(try listed("since=2000-01-01T00:00:00.000Z") == 1)
      #expect(try server.ask("/api/sessions?since=x").status == 400)
    }
  }
#endif
