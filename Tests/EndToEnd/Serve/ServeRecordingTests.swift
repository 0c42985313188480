#if os(Linux)
  import Foundation
  import Longhand
  import SoundServer
  import Synchronization
  import TestSupport
  import Testing

  extension RecordingTests {
    /// Recordings of the server, from a real sound server.
    @Suite(.tagged(.soundServer)) struct ServeRecordingTests {
      private let folder: TemporaryFolder

      init() throws { folder = try TemporaryFolder() }

      @Test func recordingIsMadePausedAndStopped() async throws {
        let sound = try await PulseServer()
        let server = try await ServeProcess(in: folder, environment: ["PULSE_SERVER": sound.address])
        let sources = try server.ask("/api/sources").json["sources"] as? [[String: Any]]
        #expect(sources?.contains { $0["name"] as? String == "mic.monitor" } == true)
        let model = try server.ask("/api/sources").json["model"] as? [String: Any]
        #expect(model?["name"] as? String == TestedRecognizer.current.model)
        #expect(try server.ask("POST", "/api/recording/pause").code == "not_recording")
        #expect(try server.ask("POST", "/api/recording", json: "{\"source\": \"none\"}").status == 400)
        #expect(try server.ask("POST", "/api/recording", json: "{\"locale\": \"xx\"}").status == 400)
        let english = try server.ask("POST", "/api/recording", json: "{\"translate\": true}")
        #expect(english.status != 201 && english.text.contains("does not translate"), "\(english.text)")
        let started = try server.ask("POST", "/api/recording", json: "{\"source\": \"mic.monitor\"}")
        let id = try #require(started.json["session"] as? String)
        #expect(started.status == 201)
        #expect(started.json["state"] as? String == "recording")
        #expect(try server.ask("POST", "/api/recording").status == 409)
        #expect(await eventually { (try? server.ask("/api/sessions/\(id)"))?.status == 200 })
        #expect(try server.ask("DELETE", "/api/sessions/\(id)").status == 409)

        let events = try HTTPConnection(port: server.port)
        try events.send(
          "GET", "/api/sessions/\(id)/events?after=0", server.signedIn, port: server.port)
        _ = try events.head()
        // Followers must not disturb the recorder; `make soak` has 200 of them.
        let followers = Followers(isSoak ? 200 : 20, of: id, server)
        let player = try sound.play(URL(fileURLWithPath: Recordings.long))
        var kinds: Set<String> = []
        while !kinds.isSuperset(of: ["level", "partial", "segment"]), let event = try events.event() {
          if event.kind != "partial" || event.json["start"] != nil { kinds.insert(event.kind) }
        }
        #expect(kinds.isSuperset(of: ["level", "partial", "segment"]))
        #expect(await eventually { !player.isRunning })

        #expect(try server.ask("POST", "/api/recording/pause").json["state"] as? String == "paused")
        let length = { try server.ask("/api/sessions/\(id)/audio").body.count }
        // Audio that was captured before the pause is still written, on a busy machine for longer.
        try await Task.sleep(for: .seconds(3))
        let paused = try length()
        try await Task.sleep(for: .seconds(2))
        #expect(try length() == paused)
        #expect(try server.ask("POST", "/api/recording/resume").json["state"] as? String == "recording")
        #expect(await eventually { ((try? length()) ?? 0) > paused })
        #expect(try server.ask("POST", "/api/recording/stop").json["state"] as? String == "finishing")
        var last: String?
        while last != "end", let event = try events.event() { last = event.kind }
        #expect(last == "end")
        #expect(await eventually { (try? server.ask("/api/recording"))?.json["state"] as? String == "idle" })
        let about = try server.ask("/api/sessions/\(id)").json
        #expect(about["state"] as? String == "complete")
        let gaps = (about["coverage"] as? [String: Any])?["gaps"] as? Double ?? 0
        #expect((4.9...15).contains(gaps), "the pause")
        #expect(await eventually { followers.areDone })
        let all = Array(1...(about["sequence"] as? Int ?? 1))
        #expect(followers.seen.allSatisfy { $0 == all })
        #expect(try server.ask("DELETE", "/api/sessions/\(id)").status == 204)
      }

      @Test func microphoneAndCallHaveLevelsAndAreRecordedAsChannels() async throws {
        let sound = try await PulseServer()
        try sound.addMicrophone()
        let server = try await ServeProcess(in: folder, environment: ["PULSE_SERVER": sound.address])
        let sources = try server.ask("/api/sources").json
        #expect(sources["microphone"] as? String == "voice")
        #expect(sources["monitor"] as? String == "mic.monitor")
        #expect(sources["locale"] as? String == "en-US")
        #expect(sources["words"] as? Int == 0)
        #expect(try server.ask("/api/level?source=none").status == 400)
        #expect(
          try server.ask("POST", "/api/recording", json: #"{"sources": ["monitor", "mic.monitor"]}"#).status
            == 400)

        let levels = try HTTPConnection(port: server.port)
        try levels.send("GET", "/api/level?source=microphone", server.signedIn, port: server.port)
        _ = try levels.head()
        let before = try #require(try levels.event())
        #expect(before.kind == "level")
        #expect((before.json["dBFS"] as? Double ?? 0) < -60)
        let player = try sound.play(URL(fileURLWithPath: Recordings.long))
        var loudest = -100.0
        while loudest < -40, let event = try levels.event() {
          loudest = max(loudest, event.json["dBFS"] as? Double ?? -100)
        }
        #expect(loudest >= -40)
        player.kill()
        // Nothing is stored.
        #expect((try server.ask("/api/sessions").json["sessions"] as? [Any])?.isEmpty == true)

        let started = try server.ask(
          "POST", "/api/recording", json: #"{"sources": ["microphone", "monitor"]}"#)
        let id = try #require(started.json["session"] as? String)
        let spoken = try sound.play(URL(fileURLWithPath: Recordings.short))
        #expect(await eventually { !spoken.isRunning })
        try await Task.sleep(for: .seconds(1))
        #expect(try await server.stop().status == 130)
        let library = try Library(at: folder.url.appendingPathComponent("library"))
        let transcript = try library.transcript(of: try library.store.session(matching: id))
        #expect(Set(transcript.segments.map(\.channel)) == [0, 1])
        #expect(transcript.speakers.map(\.name) == ["Microphone", "Call"])
      }

      /// The first signal ends the recording, and all of it is transcribed before the process ends.
      @Test func signalLosesNoAudioAndNoText() async throws {
        let sound = try await PulseServer()
        let server = try await ServeProcess(in: folder, environment: ["PULSE_SERVER": sound.address])
        let id = try #require(try server.ask("POST", "/api/recording").json["session"] as? String)
        let player = try sound.play(URL(fileURLWithPath: Recordings.short))
        #expect(await eventually { !player.isRunning })
        try await Task.sleep(for: .seconds(1))
        #expect(try await server.stop().status == 130)
        let library = try Library(at: folder.url.appendingPathComponent("library"))
        let session = try library.store.session(matching: id)
        #expect(session.state == .complete)
        #expect(session.duration > 3)
        #expect(try !library.store.transcript(of: id).text.isEmpty)
        #expect(Coverage(try library.store.coverageSpans(of: id)).pending == 0)
      }
    }
  }

  /// Clients that follow a session until its end, each on a thread of its own.
  private final class Followers: Sendable {
    private let count: Int
    private let sequences = Mutex<[[Int]]>([])

    init(_ count: Int, of session: String, _ server: ServeProcess) {
      self.count = count
      for _ in 0..<count {
        Thread.detachNewThread { [self] in
          let seen = try? Self.read(session, server)
          sequences.withLock { $0.append(seen ?? []) }
        }
      }
    }

    /// Whether all have received the end.
    var areDone: Bool { sequences.withLock { $0.count } == count }
    /// The sequence numbers that each has received.
    var seen: [[Int]] { sequences.withLock { $0 } }

    private static func read(_ session: String, _ server: ServeProcess) throws -> [Int] {
      let events = try HTTPConnection(port: server.port)
      try events.send(
        "GET", "/api/sessions/\(session)/events?after=0", server.signedIn, port: server.port)
      _ = try events.head()
      var seen: [Int] = []
      while let event = try events.event(), event.kind != "end" {
        if event.kind == "segment", let sequence = event.id { seen.append(sequence) }
      }
      return seen
    }
  }
#endif
