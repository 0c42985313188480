#if os(Linux)
  import Foundation
  import Longhand
  import TestSupport
  import Testing

  /// `serve` records the microphone of a browser, which sends its audio in pieces. There is no sound server.
  @Suite(.tagged(.childProcess)) struct ServeBrowserRecordingTests {
    private let folder: TemporaryFolder
    private let server: ServeProcess
    private let talk: Data

    init() async throws {
      folder = try TemporaryFolder()
      // A file that reaches its limit must not end the server, as a full disk does not.
      server = try await ServeProcess(
        in: folder, environment: ["PULSE_SERVER": "unix:/nowhere"], after: "trap '' XFSZ")
      let pause = Data(count: 32_000)
      talk = try pause + Recordings.samples(of: Recordings.short) + pause
    }

    private func start() throws -> (session: String, stream: String) {
      let answer = try server.ask(
        "POST", "/api/recording", json: #"{"sources": ["browser"], "sampleRate": 16000, "locale": "en-US"}"#)
      #expect(answer.status == 201)
      return (
        try #require(answer.json["session"] as? String), try #require(answer.json["stream"] as? String)
      )
    }

    @discardableResult
    private func send(_ piece: Data, at offset: some CustomStringConvertible, to stream: String) throws
      -> HTTPConnection.Response
    {
      try HTTPConnection.ask(
        server.port, "PUT", "/api/recording/audio/\(stream)?offset=\(offset)", server.signedIn, body: piece)
    }

    /// Sends all of the talk in pieces of half a second.
    private func sendAll(to stream: String, from first: Int = 0) throws {
      for offset in stride(from: first, to: talk.count, by: 16_000) {
        let piece = talk.dropFirst(offset).prefix(16_000)
        let answer = try send(Data(piece), at: offset, to: stream)
        #expect(answer.status == 200)
        #expect(answer.json["received"] as? Int == offset + piece.count)
      }
    }

    private var state: String? { (try? server.ask("/api/recording"))?.json["state"] as? String }

    /// The samples of a session.
    private func audio(_ session: String) throws -> Data {
      let file = try server.ask("/api/sessions/\(session)/audio").body
      let start = try #require(file.range(of: Data("data".utf8)))
      return Data(file[(start.upperBound + 4)...])
    }

    @Test func talkIsRecordedAndTranscribed() async throws {
      let (session, stream) = try start()
      try sendAll(to: stream)
      #expect(try server.ask("POST", "/api/recording/stop").json["state"] as? String == "finishing")
      #expect(try send(Data(count: 2), at: talk.count, to: stream).code == "stopped")
      #expect(await eventually { state == "idle" })
      #expect(try send(Data(count: 2), at: talk.count, to: stream).code == "stopped")
      #expect(try audio(session) == talk)
      let text = try server.ask("/api/sessions/\(session)/export?format=txt&style=words").text
      #expect(try Recordings.errorRate(text, of: Recordings.short) < 0.35, "\(text)")
      let about = try server.ask("/api/sessions/\(session)").json
      #expect(about["state"] as? String == "complete")
      #expect(about["source"] as? String == "browser's microphone")
    }

    @Test func whatIsWrongIsRefusedAndNothingIsLost() async throws {
      for body in [
        #"{"sources": ["browser"]}"#, #"{"sources": ["browser"], "sampleRate": 0}"#,
        #"{"sources": ["browser"], "sampleRate": 1e9}"#, #"{"sources": ["browser"], "sampleRate": "x"}"#,
        #"{"sources": ["browser", "monitor"], "sampleRate": 16000}"#,
      ] {
        #expect(try server.ask("POST", "/api/recording", json: body).status == 400, "\(body)")
      }
      #expect(try send(Data(count: 2), at: 0, to: "none").code == "no_stream")
      #expect(
        try server.ask("POST", "/api/recording/take-over", json: #"{"sampleRate": 16000}"#).code
          == "not_recording")
      let (session, stream) = try start()
      #expect(try server.ask("POST", "/api/recording").code == "is_recording")
      #expect(
        try server.ask("POST", "/api/recording/take-over", json: #"{"sampleRate": 16000}"#).code
          == "is_recording")
      #expect(
        try server.ask("POST", "/api/recording/take-over", json: #"{"sampleRate": 48000}"#).code
          == "other_rate")
      let half = 32_000
      #expect(try send(Data(talk.prefix(half)), at: 0, to: stream).status == 200)
      for offset in ["", "-2", "NaN", "1e3", "0x10", "99999999999999999999", "2.0", "%00"] {
        #expect(try send(Data(count: 4), at: offset, to: stream).status == 400, "\(offset)")
      }
      // No sample has half of its bytes.
      #expect(try send(Data(count: 3), at: half, to: stream).status == 400)
      #expect(try send(Data(count: 2), at: half + 1, to: stream).status == 400)
      // Out of order, and beyond every number.
      #expect(try send(Data(count: 2), at: half + 2, to: stream).code == "wrong_offset")
      #expect(try send(Data(count: 2), at: Int64.max - 1, to: stream).code == "wrong_offset")
      let huge = try HTTPConnection(port: server.port)
      try huge.send(
        "PUT", "/api/recording/audio/\(stream)?offset=\(half)",
        server.signedIn.merging(["Content-Length": "\(9 << 20)"]) { $1 }, port: server.port)
      #expect(try huge.response(isHead: false).status == 413)
      #expect(try send(Data(count: 2), at: half, to: session).code == "no_stream")
      #expect(try send(Data(count: 2), at: half, to: stream.uppercased() + "0").code == "no_stream")
      #expect(
        try HTTPConnection.ask(
          server.port, "PUT", "/api/recording/audio/\(stream)?offset=\(half)", body: Data(count: 2)
        ).status == 401)
      #expect(
        try HTTPConnection.ask(
          server.port, "PUT", "/api/recording/audio/\(stream)?offset=\(half)",
          server.signedIn.merging(["Origin": "http://example.com"]) { $1 }, body: Data(count: 2)
        ).status == 403)
      // A request that breaks off brings nothing.
      let broken = try HTTPConnection(port: server.port)
      try broken.send(
        "PUT", "/api/recording/audio/\(stream)?offset=\(half)",
        server.signedIn.merging(["Content-Length": "16000"]) { $1 }, body: Data(count: 8000),
        port: server.port)
      broken.finishSending()
      // A piece that is sent again, and one with what is known and more.
      #expect(try send(Data(talk.prefix(half)), at: 0, to: stream).json["received"] as? Int == half)
      #expect(
        try server.ask("/api/recording/audio/\(stream)").json["received"] as? Int == half)
      #expect(
        try send(Data(talk.dropFirst(1000).prefix(half)), at: 1000, to: stream).json["received"] as? Int
          == half + 1000)
      try sendAll(to: stream, from: half)
      _ = try server.ask("POST", "/api/recording/stop")
      #expect(await eventually { state == "idle" })
      #expect(try audio(session) == talk)
      #expect(try folder.read("serve-errors").isEmpty)
    }

    @Test func otherBrowserGoesOnWhereTheFirstOneWasLost() async throws {
      let (session, stream) = try start()
      let half = Data(talk.prefix(64_000))
      #expect(try send(half, at: 0, to: stream).status == 200)
      #expect(await eventually { state == "disconnected" })
      // The first one is back.
      #expect(try send(Data(count: 0), at: half.count, to: stream).json["state"] as? String == "recording")
      #expect(await eventually { state == "disconnected" })
      let answer = try server.ask("POST", "/api/recording/take-over", json: #"{"sampleRate": 16000}"#)
      #expect(answer.json["state"] as? String == "recording")
      #expect(answer.json["session"] as? String == session)
      // With what another session of the same recording begins.
      let choice = try #require(answer.json["choice"] as? [String: Any])
      #expect(choice["locale"] as? String == "en-US")
      #expect(choice["translate"] as? Bool == false)
      #expect(choice["model"] == nil)
      let second = try #require(answer.json["stream"] as? String)
      #expect(try send(half, at: half.count, to: stream).code == "no_stream")
      let rest = Data(talk.dropFirst(half.count))
      #expect(try send(rest, at: 0, to: second).json["received"] as? Int == rest.count)
      _ = try server.ask("POST", "/api/recording/stop")
      #expect(await eventually { state == "idle" })
      let audio = try audio(session)
      #expect(Data(audio.prefix(half.count)) == half)
      #expect(Data(audio.suffix(rest.count)) == rest)
      // The time in which nothing was recorded.
      #expect(audio.count >= talk.count + 5 * 32_000)
      let coverage = try server.ask("/api/sessions/\(session)").json["coverage"] as? [String: Any]
      #expect(coverage?["gaps"] as? Double ?? 0 >= 5)
    }

    @Test func audioThatIsNotOnTheDiskIsNotConfirmed() async throws {
      let (session, stream) = try start()
      #expect(try send(Data(talk.prefix(32_000)), at: 0, to: stream).status == 200)
      func limitFiles(to bytes: String) async throws {
        _ = try await Program.output(of: [
          "prlimit", "--pid", "\(server.process.identifier)", "--fsize=\(bytes):unlimited",
        ])
      }
      try await limitFiles(to: "1000")
      let next = Data(talk.dropFirst(32_000).prefix(32_000))
      #expect(try send(next, at: 32_000, to: stream).status == 507)
      #expect(try send(next, at: 32_000, to: stream).status == 507)
      try await limitFiles(to: "unlimited")
      let answer = try send(next, at: 32_000, to: stream)
      #expect(answer.status == 200)
      #expect(answer.json["received"] as? Int == 64_000)
      _ = try server.ask("POST", "/api/recording/stop")
      #expect(await eventually { state == "idle" })
      #expect(try audio(session) == Data(talk.prefix(64_000)))
    }

    @Test func serverThatIsKilledHasWhatItConfirmed() async throws {
      let (session, stream) = try start()
      try sendAll(to: stream)
      server.process.send(SIGKILL)
      _ = try await server.process.result()
      let library = folder.path("library")
      #expect(try await LonghandProcess(["recover", "--library", library]).result().status == 0)
      let text = try await LonghandProcess(
        ["export", session, "--format", "txt", "--style", "words", "--library", library]
      ).result().output
      #expect(try Recordings.errorRate(text, of: Recordings.short) < 0.35, "\(text)")
      let stored = try Library(at: URL(fileURLWithPath: library)).store.session(matching: session)
      #expect(stored.duration == Double(talk.count) / 32_000)
    }
  }
#endif
