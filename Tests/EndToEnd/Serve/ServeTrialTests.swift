#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  extension LongStoredSessionTests {
    /// The terms of a vocabulary are said by voices, for clients of the HTTP API.
    @Suite(.recognizer(.pocketSphinx)) struct ServeTrialTests {
      private let folder: TemporaryFolder
      private let path = "/api/vocabularies/drugs/trial"

      init() throws { folder = try TemporaryFolder() }

      private func server(_ rows: String, environment: [String: String] = [:]) async throws -> ServeProcess {
        let server = try await ServeProcess(in: folder, environment: environment)
        let made = try server.ask("PUT", "/api/vocabularies/drugs", json: #"{"rows": [\#(rows)]}"#)
        try #require(made.status == 200, "\(made.text)")
        return server
      }

      private func row(_ term: String, soundsLike: String = "") -> String {
        #"{"term": "\#(term)", "soundsLike": [\#(soundsLike)], "replaces": []}"#
      }

      @Test func eachTermHasItsResultAndATrialStops() async throws {
        let rows = [row("Winawer", soundsLike: #""w I n aU @r""#), row("breakfast"), row("letters")]
        let server = try await server(rows.joined(separator: ","))
        #expect(try server.ask("GET", path).json["state"] as? String == "none")
        #expect(try server.ask("POST", path + "/stop").status == 409)
        #expect(try server.ask("POST", path).status == 202)
        // One at a time.
        let second = try server.ask("POST", path)
        #expect(second.status == 409)
        #expect(second.text.contains("drugs"))
        let stopped = try server.ask("POST", path + "/stop").json
        #expect(stopped["state"] as? String == "stopped")
        #expect((stopped["terms"] as? [Any])?.count ?? 3 < 3)
        #expect(try server.ask("POST", path).status == 202)
        #expect(await eventually { (try? server.ask("GET", path))?.json["state"] as? String != "running" })
        let done = try server.ask("GET", path).json
        #expect(done["state"] as? String == "done")
        #expect(done["percent"] as? Int == 100)
        #expect(done["problem"] is NSNull)
        let terms = try #require(done["terms"] as? [[String: Any]])
        #expect(terms.map { $0["term"] as? String } == ["Winawer", "breakfast", "letters"])
        for term in terms {
          #expect(term["voices"] as? Int == 4)
          let isFound = term["found"] as? Int == 4
          #expect((term["foundWithout"] is NSNull) == !isFound)
          #expect((term["heard"] as? [String])?.isEmpty == isFound)
          #expect((term["remedy"] is NSNull) == isFound)
        }
        // With its pronunciation it is found, and without the vocabulary it cannot be.
        #expect(terms[0]["found"] as? Int ?? 0 > 0)
        #expect(terms[0]["foundWithout"] as? Int ?? 0 == 0)
        #expect(try server.ask("DELETE", "/api/vocabularies/drugs").status == 204)
        #expect(try server.ask("GET", path).json["state"] as? String == "none")
        #expect(try await server.stop().status == 130)
      }

      @Test func serverThatEndsStopsATrialAndLeavesNoAudio() async throws {
        let temporary = folder.path("temporary")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
        let server = try await server(
          (0..<20).map { row("breakfast \($0)") }.joined(separator: ","), environment: ["TMPDIR": temporary])
        func folders() -> [String] {
          ((try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []).filter {
            $0.hasPrefix("longhand-voices-")
          }
        }
        #expect(try server.ask("POST", path).status == 202)
        #expect(await eventually { !folders().isEmpty })
        #expect(try await server.stop().status == 130)
        #expect(folders().isEmpty)
      }

      /// The terms; the program with the voices; what is answered.
      @Test(
        arguments: [
          ("breakfast", "/nonexistent/flite", 409, "sudo apt install flite"),
          (nil, "/usr/bin/flite", 400, "no terms in English"),
        ] as [(String?, String, Int, String)])
      func whatCannotBeTriedIsSaid(_ term: String?, _ flite: String, _ status: Int, _ reason: String)
        async throws
      {
        let server = try await server(term.map { row($0) } ?? "", environment: ["FLITE_PATH": flite])
        let answer = try server.ask("POST", path)
        #expect(answer.status == status)
        #expect(answer.text.contains(reason), "\(answer.text)")
        #expect(try server.ask("GET", path).json["state"] as? String == "none")
        #expect(try server.ask("POST", "/api/vocabularies/other/trial").status == 404)
        #expect(try await server.stop().status == 130)
      }

      @Test func voicesThatFailAreReported() async throws {
        let server = try await server(row("breakfast"), environment: ["FLITE_PATH": "/bin/false"])
        #expect(try server.ask("POST", path).status == 202)
        #expect(await eventually { (try? server.ask("GET", path))?.json["state"] as? String == "failed" })
        let problem = try server.ask("GET", path).json["problem"] as? String
        #expect(problem?.contains("ended with the status 1") == true, "\(problem ?? "nil")")
        #expect(try await server.stop().status == 130)
      }
    }
  }
#endif
