#if os(Linux)
  import Foundation
  import ScriptedSpeech
  import Synchronization
  import TestSupport
  import Testing

  /// What readers see of sessions that come into the library of `serve`, one after the other.
  @Suite(.tagged(.childProcess)) struct ServeStateTests {
    private static let uploads = isSoak ? 10 : 4
    private static let polls = isSoak ? 1000 : 60

    /// The states that a reader saw of each session.
    private typealias States = [String: Set<String>]

    private static func add(_ sessions: Any?, to states: inout States) -> Bool {
      let sessions = sessions as? [[String: Any]] ?? []
      for session in sessions {
        guard let id = session["id"] as? String, let state = session["state"] as? String else { continue }
        states[id, default: []].insert(state)
      }
      return sessions.count == uploads && sessions.allSatisfy { $0["state"] as? String == "complete" }
    }

    @Test func sessionsOfAQueueNeverSeemToBeInterrupted() async throws {
      let library = try KillableLibrary(pause: 2)
      // The queue lasts about as long as the polls.
      let late = [SpeechScript.Fault.late(seconds: isSoak ? 1.5 : 0.1)]
      let environment = try SpeechScript(faults: [0: late, 1: late, 2: late], isHopeless: true)
        .environment(in: library.folder.url)
      let server = try await ServeProcess(in: library.folder, environment: environment)
      let sound = try Data(contentsOf: URL(fileURLWithPath: library.talk))
      // Each has other bytes.
      let bodies = (0..<Self.uploads).map { number in
        var sound = sound
        sound[sound.count - 1 - number * 2] ^= 1
        return ServeProcess.form(sound, [:])
      }
      let sending = Task.detached {
        for body in bodies {
          let answer = try HTTPConnection.ask(
            server.port, "POST", "/api/sessions", server.signedIn.merging(["Content-Type": body.type]) { $1 },
            body: body.body)
          #expect(answer.status == 201)
        }
      }
      let isOver = Mutex(false)
      let byCommand = Task.detached {
        var states: States = [:]
        var count = 0
        while count < Self.polls || !isOver.withLock(\.self) {
          let listed = try await library.run("sessions", "--json")
          // It says which sessions are interrupted.
          #expect(listed.errors.isEmpty)
          _ = Self.add(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)), to: &states)
          count += 1
        }
        return states
      }
      var states: States = [:]
      var (count, isDone) = (0, false)
      while count < Self.polls || !isDone {
        isDone = Self.add(try server.ask("/api/sessions").json["sessions"], to: &states)
        for id in states.keys {
          let session = try server.ask("/api/sessions/\(id)").json
          let state = try #require(session["state"] as? String)
          states[id]?.insert(state)
          guard state == "complete" else { continue }
          #expect((session["coverage"] as? [String: Double])?["pending"] == 0)
        }
        count += 1
      }
      isOver.withLock { $0 = true }
      try await sending.value
      for states in [states, try await byCommand.value] {
        #expect(states.count == Self.uploads)
        let all = states.values.reduce(into: Set()) { $0.formUnion($1) }
        #expect(all.subtracting(["queued", "importing", "transcribing", "complete"]) == [])
      }
    }
  }
#endif
