#if os(Linux)
  import Foundation
  import Longhand
  import ScriptedSpeech
  import TestSupport
  import Testing

  /// Verbs that change a library, killed at random moments: nothing false is called complete, and nothing is left.
  ///
  /// Every form has 200 rounds in `make soak`; the moments come from fixed seeds.
  @Suite(.tagged(.childProcess)) struct LibraryKillTests {
    private static let rounds = isSoak ? 200 : 2

    /// Milliseconds that a run takes, from the moment at which a condition holds.
    private func time(
      _ library: KillableLibrary, _ arguments: [String], from condition: () -> Bool = { true },
      to end: () -> Bool = { false }
    ) async throws -> Int {
      let process = try library.start(arguments)
      while process.isRunning, !condition() { try await Task.sleep(for: .milliseconds(1)) }
      let start = ContinuousClock.now
      while process.isRunning, !end() { try await Task.sleep(for: .milliseconds(1)) }
      let time = ContinuousClock.now - start
      #expect(try await process.result().status == 0)
      return Int(time / .milliseconds(1))
    }

    private func clear(_ library: KillableLibrary) {
      try? FileManager.default.removeItem(atPath: library.folder.path("library"))
    }

    @Test(.timeLimit(.minutes(120)), arguments: [false, true])
    func killedImportIsWholeAfterRecovery(whileTranscribing: Bool) async throws {
      let library = try KillableLibrary()
      func isReached() -> Bool {
        whileTranscribing
          ? library.manifest.contains("\"complete\"") : !library.manifest.isEmpty
      }
      func isPassed() -> Bool { !whileTranscribing && library.manifest.contains("\"complete\"") }
      let length = try await time(library, ["import", library.talk], from: isReached, to: isPassed)
      var random = SeededGenerator(seed: whileTranscribing ? 1 : 2)
      var (killed, resumed) = (0, 0)
      for round in 0..<Self.rounds {
        clear(library)
        // Every fifth kill is at any moment from the start of the process.
        let isEarly = round % 5 == 4
        let isKilled = try await library.kill(
          ["import", library.talk], after: Int.random(in: 0...length + (isEarly ? 300 : 0), using: &random),
          when: { isEarly || isReached() })
        killed += isKilled ? 1 : 0
        let recovered = try await library.run("recover")
        #expect(recovered.status == 0, "round \(round): \(recovered.errors)")
        let store = try library.open()
        let sessions = try store.store.sessions()
        #expect(sessions.count == library.recordings.count, "round \(round)")
        for session in sessions {
          #expect(try library.complaints(about: session, in: store) == [], "round \(round)")
        }
        #expect(try library.leftovers() == [], "round \(round)")
        #expect(try store.interruptedSessions().isEmpty, "round \(round)")
        resumed += recovered.outputLines.count
      }
      expectMost(killed, "imports, \(resumed) resumed")
      #expect(resumed > 0 || !isSoak, "no import was interrupted")
    }

    @Test(.timeLimit(.minutes(120))) func killedDeletionIsFinishedByRecovery() async throws {
      let library = try KillableLibrary()
      try KillableLibrary.write([[2, 8], [13]], pause: 1, to: library.folder.path("other.wav"))
      #expect(try await library.run("import", library.folder.path("other.wav")).status == 0)
      // The recognizer's alternatives for the other recording stay.
      let words = try Set(library.text.split(separator: " ").map(String.init)).filter {
        try !library.holds($0)
      }
      try #require(words.count > 3)
      #expect(try await library.run("import", library.talk).status == 0)
      let erased = try library.open().store.session(matching: "last")
      // The negative control: before, they are found.
      for word in words { #expect(try library.holds(word)) }
      try FileManager.default.moveItem(
        atPath: library.folder.path("library"), toPath: library.folder.path("before"))
      func restore() throws {
        clear(library)
        try FileManager.default.copyItem(
          atPath: library.folder.path("before"), toPath: library.folder.path("library"))
      }
      try restore()
      let length = try await time(library, ["delete", erased.id])
      var random = SeededGenerator(seed: 3)
      var (killed, finished) = (0, 0)
      for round in 0..<Self.rounds {
        try restore()
        let moment = Int.random(in: 0...length, using: &random)
        killed += try await library.kill(["delete", erased.id], after: moment) ? 1 : 0
        let recovered = try await library.run("recover")
        #expect(recovered.status == 0, "round \(round): \(recovered.errors)")
        if recovered.errors.contains("deletion") { finished += 1 }
        let store = try library.open()
        let sessions = try store.store.sessions()
        if let session = sessions.first(where: { $0.id == erased.id }) {
          #expect(try library.complaints(about: session, in: store) == [], "round \(round)")
        } else {
          let left = try words.filter { try library.holds($0) }
          #expect(left == [], "round \(round)")
        }
        let other = try #require(sessions.first { $0.id != erased.id })
        #expect(
          try library.words(of: other, in: store) == SpokenTones.text(of: [2, 8, 13]), "round \(round)")
        #expect(try library.leftovers() == [], "round \(round)")
      }
      expectMost(killed, "deletions, \(finished) finished")
      #expect(finished > 0 || !isSoak, "no deletion was interrupted")
    }

    @Test(.timeLimit(.minutes(120))) func killedRetranscriptionChangesAllOrNothing() async throws {
      let library = try KillableLibrary()
      #expect(try await library.run("import", library.talk).status == 0)
      let arguments = ["retranscribe", "last", "--engine", "rolling"]
      let length = try await time(library, arguments)
      var random = SeededGenerator(seed: 4)
      var killed = 0
      for round in 0..<Self.rounds {
        let moment = Int.random(in: 0...length, using: &random)
        killed += try await library.kill(arguments, after: moment) ? 1 : 0
        let recovered = try await library.run("recover")
        #expect(recovered.status == 0, "round \(round): \(recovered.errors)")
        #expect(recovered.output.isEmpty, "round \(round)")
        let store = try library.open()
        let session = try store.store.session(matching: "last")
        #expect(try library.complaints(about: session, in: store) == [], "round \(round)")
        #expect(try library.leftovers() == [], "round \(round)")
      }
      expectMost(killed, "retranscriptions")
    }

    /// Expects that most kills came before the end of the process: others show nothing.
    private func expectMost(_ killed: Int, _ verb: String) {
      if isSoak { print("killed \(killed) of \(Self.rounds) \(verb)") }
      #expect(killed > Self.rounds / 2 || !isSoak, "\(verb)")
    }
  }
#endif
