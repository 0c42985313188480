#if os(Linux)
  import Foundation
  import Longhand
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
      // The file that is open goes on waiting; the other one does so until its session is complete.
      #expect(await eventually { list("waiting", server)?.count == 1 })
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

    @Test func fileWhoseSessionWasDeletedDoesNotComeBackUnderAnotherName() async throws {
      try folder.write(try Data(contentsOf: URL(fileURLWithPath: Recordings.short)), to: "in/talk.wav")
      let server = try await ServeProcess(["--watch", folder.path("in")], in: folder)
      #expect(await eventually { names(server) == ["talk.wav"] })
      let id = try #require(
        (try server.ask("/api/sessions").json["sessions"] as? [[String: Any]])?.first?["id"] as? String)
      #expect(await eventually { (try? server.ask("DELETE", "/api/sessions/\(id)"))?.status == 204 })
      try FileManager.default.moveItem(
        atPath: folder.path("in/talk.wav"), toPath: folder.path("in/again.wav"))
      try folder.write(try Data(contentsOf: URL(fileURLWithPath: Recordings.paths[4])), to: "in/other.wav")
      #expect(await eventually { names(server).contains("other.wav") })
      #expect(await eventually { list("waiting", server)?.isEmpty == true })
      #expect(names(server) == ["other.wav"])
      #expect(try await server.stop().status == 130)
    }

    /// Neither a name that is not UTF-8 nor a deep folder keeps a file out, and what is no file is reported.
    @Test func noFileIsLeftOutWithoutAWord() async throws {
      let talk = try Data(contentsOf: URL(fileURLWithPath: Recordings.short))
      let deep = (["in"] + Array(repeating: "deeper", count: 20) + ["deep.wav"]).joined(separator: "/")
      try folder.write(talk, to: deep)
      let name = Array(folder.path("in/caf").utf8) + [0xE9] + Array(".wav".utf8) + [0]
      let descriptor = open(name.map(CChar.init(bitPattern:)), O_WRONLY | O_CREAT, 0o600)
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: talk + [0, 0])
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("in/away.wav"), withDestinationPath: "nosuch.wav")
      // A path that the system does not take as a whole.
      let script =
        "import os, sys\nos.chdir(sys.argv[1])\nfor _ in range(20): os.mkdir('d' * 250); os.chdir('d' * 250)"
      _ = try await Program.output(of: ["python3", "-c", script, folder.path("in")])
      let server = try await ServeProcess(["--watch", folder.path("in")], in: folder)
      #expect(await eventually { names(server) == ["caf\u{FFFD}.wav", "deep.wav"] }, "\(names(server))")
      let problems = list("problems", server) as? [[String: String]]
      #expect(problems?.count == 2)
      #expect(problems?.first?["file"] == folder.path("in/away.wav"))
      #expect(problems?.first?["message"]?.contains("'away.wav' is not imported") == true)
      #expect(problems?.last?["message"]?.hasSuffix("d' cannot be read: File name too long.") == true)
      let transcribed = try await LonghandProcess.run("transcribe", "--recursive", folder.path("in"))
      #expect(transcribed.errors.contains("File name too long"), "\(transcribed.errors)")
      #expect(try await server.stop().status == 130)
      _ = try await Program.output(of: ["rm", "-rf", folder.path("in")])
    }

    /// A copy that was interrupted and goes on later: the file's header states its whole length.
    @Test func fileThatHasOnlyItsBeginningWaitsForTheRest() async throws {
      let talk = try Data(contentsOf: URL(fileURLWithPath: Recordings.long))
      let path = try folder.write(talk.prefix(100_000), to: "in/talk.wav")
      let server = try await ServeProcess(["--watch", folder.path("in")], in: folder)
      #expect(await eventually { list("waiting", server)?.count == 1 })
      // Longer than a file waits that seems to be complete.
      try await Task.sleep(for: .seconds(8))
      #expect(names(server) == [])
      let writer = try #require(FileHandle(forWritingAtPath: path))
      try writer.seekToEnd()
      try writer.write(contentsOf: talk.dropFirst(100_000))
      try writer.close()
      #expect(await eventually { names(server) == ["talk.wav"] })
      #expect(await eventually { list("waiting", server)?.isEmpty == true })
      func session() -> [String: Any]? {
        ((try? server.ask("/api/sessions"))?.json["sessions"] as? [[String: Any]])?.first
      }
      #expect(await eventually { session()?["state"] as? String == "complete" })
      let duration = session()?["duration"] as? Double ?? 0
      #expect(abs(duration - (try Recordings.seconds(of: Recordings.long))) < 0.1)
      #expect(try await server.stop().status == 130)
    }

    /// A file that states no length: only its growth shows that it was not complete.
    @Test func restOfAFileIsAddedToItsSession() async throws {
      let samples = try Recordings.samples(of: Recordings.long) + Recordings.samples(of: Recordings.paths[4])
      // Sun's format: big-endian samples, and no length.
      let header: [UInt32] = [0x2E73_6E64, 24, .max, 3, 16_000, 1]
      var file = Data(header.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } })
      for index in stride(from: samples.startIndex, to: samples.endIndex - 1, by: 2) {
        file += [samples[index + 1], samples[index]]
      }
      // In the middle of a word.
      let path = try folder.write(file.prefix(160_000), to: "in/talk.au")
      let server = try await ServeProcess(["--watch", folder.path("in")], in: folder)
      func session() -> [String: Any]? {
        let sessions = (try? server.ask("/api/sessions"))?.json["sessions"] as? [[String: Any]]
        return sessions?.count == 1 ? sessions?.first : nil
      }
      #expect(await eventually { session()?["state"] as? String == "complete" })
      let id = try #require(session()?["id"] as? String)
      let library = try Library(at: URL(fileURLWithPath: folder.path("library")))
      let first = try #require(try library.transcript(of: library.store.session(matching: id)).segments.first)
      try library.store.correct(0..<1, to: "Zebra", of: first.id, in: id)

      let writer = try #require(FileHandle(forWritingAtPath: path))
      try writer.seekToEnd()
      try writer.write(contentsOf: file.dropFirst(160_000))
      try writer.close()
      let seconds = Double(samples.count) / 32_000
      #expect(
        await eventually(within: 90) {
          abs((session()?["duration"] as? Double ?? 0) - seconds) < 0.1
            && session()?["state"] as? String == "complete"
        }, "\(String(describing: session()))")
      #expect(session()?["id"] as? String == id)
      let transcript = try library.transcript(of: library.store.session(matching: id))
      #expect(transcript.text.contains("Zebra"), "\(transcript.text)")
      let known =
        try Recordings.reference(of: Recordings.long) + " " + Recordings.reference(of: Recordings.paths[4])
      let rate = WordErrorRate(
        reference: TextNormalizer().words(in: known), hypothesis: TextNormalizer().words(in: transcript.text)
      ).rate
      #expect(rate < 0.25, "\(transcript.text)")
      let spans = try library.store.coverageSpans(of: id)
      #expect(abs((spans.last?.end ?? 0) - seconds) < 0.1)
      #expect(!spans.contains { $0.kind == .pending })
      #expect(await eventually { list("waiting", server)?.isEmpty == true })
      #expect(await eventually { !folder.has("library/uploads/\(id)") })

      // What has another beginning is no rest.
      var other = file
      other.replaceSubrange(1000..<1002, with: [1, 2])
      try folder.write(other + other.suffix(32_000), to: "in/talk.au")
      #expect(await eventually(within: 90) { names(server) == ["talk.au", "talk.au"] })
      // The session is there a moment before the note.
      let remark = "It is a session of its own, beside the session \(id.prefix(8))"
      #expect(
        await eventually {
          let notes = list("problems", server) as? [[String: String]]
          return notes?.first?["message"]?.contains(remark) == true
        })
      #expect(try await server.stop().status == 130)
    }

    /// An idle time does not end the server while a folder is watched, and ends it afterwards.
    @Test func idleServerEndsWhenItNoLongerWatches() async throws {
      try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
      let server = try await ServeProcess(["--idle", "1", "--watch", folder.path("in")], in: folder)
      #expect(try server.ask("PUT", "/api/watch", json: #"{"folder": null}"#).json["folder"] is NSNull)
      #expect(try await server.process.result(within: .seconds(60)).status == 0)
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
