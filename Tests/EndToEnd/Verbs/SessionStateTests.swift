#if os(Linux)
  import Foundation
  import Longhand
  import LonghandTesting
  import TestSupport
  import Testing

  /// What the verbs say about sessions that are in use or were interrupted.
  @Suite(.tagged(.childProcess)) struct SessionStateTests {
    /// A library with an import that was killed while it copied.
    private func interrupted() async throws -> KillableLibrary {
      let library = try KillableLibrary(pause: 200)
      let process = try library.start(["import", library.talk])
      func hasSession() -> Bool { (try? library.open().store.sessions().isEmpty) == false }
      while process.isRunning, library.manifest.isEmpty || !hasSession() {
        try await Task.sleep(for: .milliseconds(1))
      }
      process.send(SIGKILL)
      _ = try await process.result()
      try #require(library.manifest.contains("importing"), "the import ended too early")
      return library
    }

    @Test func nextVerbNamesInterruptedSession() async throws {
      let library = try await interrupted()
      let listed = try await library.run("sessions")
      #expect(listed.output.contains(" interrupted "))
      #expect(listed.errorLines.count == 1)
      #expect(listed.errors.contains("talk.wav"))
      #expect(listed.errors.contains("longhand recover"))
      let json = try await library.run("sessions", "--json", "--json-errors")
      #expect(json.errors.isEmpty)
      #expect(json.output.contains("\"state\":\"interrupted\""))
      let doctor = try await library.run("doctor")
      #expect(doctor.output.contains("1 interrupted"))
      #expect(doctor.output.contains("type: longhand recover"))
      #expect(doctor.errors.isEmpty)
      let recovered = try await library.run("recover")
      #expect(recovered.status == 0)
      #expect(recovered.errors.isEmpty)
      #expect(try await library.run("sessions").errors.isEmpty)
      let store = try library.open()
      let session = try store.store.session(matching: "last")
      #expect(try library.complaints(about: session, in: store) == [])
    }

    @Test func importWhoseFileIsGoneIsIncompleteUntilItIsBack() async throws {
      let library = try await interrupted()
      try FileManager.default.moveItem(atPath: library.talk, toPath: library.talk + ".away")
      let recovered = try await library.run("recover")
      #expect(recovered.status == 1)
      #expect(recovered.errorLines.count == 1)
      #expect(recovered.errors.contains("incomplete"))
      #expect(recovered.errors.contains("is not there any more"))
      let store = try library.open()
      let session = try store.store.session(matching: "last")
      #expect(session.state == .incomplete)
      #expect(abs(session.duration - library.seconds) < 0.001)
      let spans = try store.coverageSpans(of: session)
      #expect(spans.last?.kind == .gap)
      #expect(spans.last?.reason == "source")
      #expect(abs((spans.last?.end ?? 0) - library.seconds) < 0.001)
      // A second time changes nothing.
      let second = try await library.run("recover")
      #expect(second.status == 0)
      #expect(second.output.isEmpty)
      try FileManager.default.moveItem(atPath: library.talk + ".away", toPath: library.talk)
      #expect(try await library.run("recover").status == 0)
      let whole = try store.store.session(matching: "last")
      #expect(try library.complaints(about: whole, in: store) == [])
    }

    @Test func interruptedSessionIsDeletedOnlyByForce() async throws {
      let library = try await interrupted()
      let refused = try await library.run("delete", "last")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("'longhand recover' could complete it"))
      #expect(library.recordings.count == 1)
      #expect(try await library.run("delete", "last", "--force").status == 0)
      #expect(library.recordings.isEmpty)
      #expect(try library.leftovers() == [])
    }

    @Test func sessionInUseIsNamedAndNotDeleted() async throws {
      let library = try KillableLibrary()
      let process = try library.start(
        ["record", "--from", "-", "--raw", "s16le:16000:1"], input: .open)
      var listed = ""
      for _ in 0..<600 where process.isRunning && !listed.contains(" recording ") {
        listed = try await library.run("sessions").output
      }
      #expect(listed.contains(" recording "))
      #expect(try await library.run("sessions").errors.isEmpty)
      let refused = try await library.run("delete", "last", "--yes")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("The session is in use"))
      process.send(SIGKILL)
      _ = try await process.result()
      #expect(try await library.run("sessions").output.contains(" interrupted "))
    }

    @Test func deletionOnATerminalNamesTheSessionAndAsks() async throws {
      let library = try KillableLibrary()
      #expect(try await library.run("import", library.talk).status == 0)
      let kept = try await library.shell("echo no | script -qec 'longhand delete last' /dev/null")
      #expect(kept.status == 1)
      #expect(kept.output.contains("talk.wav"))
      #expect(kept.output.lowercased().contains("alpha foxtrot lima"))
      #expect(kept.output.contains("Nothing was deleted"))
      #expect(library.recordings.count == 1)
      let deleted = try await library.shell("echo yes | script -qec 'longhand delete last' /dev/null")
      #expect(deleted.status == 0)
      #expect(library.recordings.isEmpty)
    }

    /// The line of the progress is gone where an ID is printed, and each of several texts has the name of its file.
    @Test func severalFilesAreReadableOnATerminal() async throws {
      let library = try KillableLibrary(pause: 1)
      let other = library.folder.path("other.wav")
      try KillableLibrary.write([[1, 2]], pause: 1, to: other)
      let shown = try await library.shell(
        "TERM=xterm script -qec 'longhand import \(library.talk) \(other) && "
          + "longhand transcribe \(library.talk) \(other)' /dev/null")
      let lines = shown.output.split(whereSeparator: \.isNewline).map(String.init)
      let ids = lines.compactMap { line in line.suffix(36).count { $0 == "-" } == 4 ? line : nil }
      #expect(ids.count == 2)
      for line in ids { #expect(["", "\u{1B}[K"].contains(line.dropLast(36)), "\(line)") }
      for name in [library.talk, other] {
        #expect(lines.contains { $0.hasSuffix("==> \(name) <==") }, "\(shown.output)")
      }
      let piped = try await library.shell("longhand transcribe \(library.talk) \(other)")
      #expect(!piped.output.contains("==>"))
    }

    /// Folder and files are not writable, also not for root.
    @Test func readOnlyLibraryCanBeRead() async throws {
      let library = try KillableLibrary(pause: 1)
      #expect(try await library.run("import", library.talk).status == 0)
      let path = library.folder.path("library")
      let refused = try await library.shell(
        """
        chmod -R a-w \(path); trap 'chmod -R u+w \(path)' EXIT
        contents() { find \(path) -type f -exec sha256sum {} + | sort; }; before=$(contents)
        dropped=; [ "$(id -u)" = 0 ] && dropped='setpriv --bounding-set=-dac_override --inh-caps=-dac_override'
        for verb in sessions 'show last' 'search foxtrot' 'export last' 'coverage last' 'explain last'; do
          $dropped longhand $verb || echo "FAILED $verb"
        done
        [ "$before" = "$(contents)" ] || echo "FAILED: the library changed"
        $dropped longhand explain last 0 --choose 1
        """)
      #expect(!refused.output.contains("FAILED"))
      #expect(refused.output.lowercased().contains("alpha foxtrot lima"))
      #expect(refused.status == 1)
    }
  }
#endif
