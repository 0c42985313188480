#if os(Linux)
  import Foundation
  import Longhand
  import TestSupport
  import Testing

  /// Tests the text on the page of `serve`, in a browser: words, paragraphs, speakers, long sessions. One after another, beside
  /// `ServePageTests`.
  @Suite(.tagged(.browser, .recognizer, .childProcess), .recognizer(.pocketSphinx), .serialized)
  struct ServeTextPageTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// The ID of a session with a sound, transcribed by PocketSphinx.
    private func imported(_ sound: Data) async throws -> String {
      let talk = try Recordings.write(sound, to: folder.path("talk.wav"))
      let imported = try await LonghandProcess(["import", "--library", folder.path("library"), talk])
        .result()
      return imported.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A session with four paragraphs, two of which say the same, and a silence to skip after each.
    private func talkThatRepeatsItself() async throws -> String {
      let pause = Data(count: 160_000)
      let paths = [Recordings.short, Recordings.long, Recordings.long, Recordings.paths[4]]
      let sound = try paths.reduce(Data()) { try $0 + Recordings.samples(of: $1) + pause }
      return try await imported(sound)
    }

    @Test(.timeLimit(.minutes(30)))
    func pageCorrectsWordsByMouseAndKeysAndPlays() async throws {
      let session = try await talkThatRepeatsItself()
      let server = try await PageServer(in: folder)
      try await server.run(
        "correcting.py", LonghandProcess.executable.path, session,
        try UnsureSession.write(to: folder.path("library")))
      #expect(try await server.stop().status == 130)
    }

    @Test(.timeLimit(.minutes(30)))
    func pageEditsParagraphsAndLeadsBackToTheFirstText() async throws {
      // Two paragraphs of two segments each, and one more.
      let pauses = [1.2, 5, 1, 5, 1].map { Data(count: Int($0 * 32_000)) }
      let sound = try zip([1, 0, 2, 4, 3], pauses).reduce(Data()) { sound, part in
        try sound + Recordings.samples(of: Recordings.paths[part.0]) + part.1
      }
      let session = try await imported(sound)
      let server = try await PageServer(in: folder)
      try await server.run("editing.py", LonghandProcess.executable.path, session)
      #expect(try await server.stop().status == 130)
    }

    /// A change meets what it names, and what is typed in one window survives what happens in the other.
    @Test(.timeLimit(.minutes(30)))
    func twoWindowsShowEachOthersChangesAndOverwriteNone() async throws {
      let session = try UnsureSession.write(to: folder.path("library"))
      let server = try await PageServer(in: folder)
      try await server.run("two_windows.py", session)
      #expect(try await server.stop().status == 130)
    }

    /// Writings without spaces, signs that stand with letters, other keyboards; and nothing typed or recorded is lost.
    @Test(.timeLimit(.minutes(30)))
    func pageEditsEveryWritingAndLosesNothing() async throws {
      let library = folder.path("library")
      let said = ["take", "so", "the", "pawn", "so", "with", "care"]
      let sessions = [
        try TextSession.write(
          [["今日は𠮷日。"], ["明日は雨。サーバー"], ["です。"]], locale: "ja-JP", to: library),
        try TextSession.write(
          Array(repeating: ["मुझे", "पानि", "चाहिए"], count: 3), locale: "hi-IN", to: library),
        try TextSession.write(Array(repeating: said, count: 4), locale: "en-US", to: library),
      ]
      let server = try await PageServer(in: folder)
      try await server.run("writings.py", sessions[0], sessions[1], sessions[2])
      #expect(try await server.stop().status == 130)
    }

    /// Each task is counted by itself, and may take no more clicks and keys than today.
    @Test(.tagged(.soak), .timeLimit(.minutes(30)))
    func tenTasksTakeFewClicksAndKeys() async throws {
      let session = try await talkThatRepeatsItself()
      // It must still be transcribed when it is stopped.
      let long = folder.path("long.wav")
      try Recordings.repeated(seconds: 1200, to: long)
      // It knows more languages than one.
      let environment = ["SPEECH_SYSTEM_MODEL_PATH": "", "SPEECH_MODEL": "whisper-base"]
      let server = try await PageServer(in: folder, environment: environment)
      try await server.run("tasks.py", session, Recordings.short, Recordings.paths[2], long)
      #expect(try await server.stop().status == 130)
    }

    @Test(.timeLimit(.minutes(30)))
    func pageNamesSpeakersAndFindsWhatTheySaid() async throws {
      // One speaker on each channel, one after the other.
      let voices = try [
        Recordings.samples(of: Recordings.paths[0]), Recordings.samples(of: Recordings.long),
      ]
      var stereo = Data()
      for (channel, voice) in voices.enumerated() {
        for index in stride(from: 0, to: voice.count - 1, by: 2) {
          let sample = voice[(voice.startIndex + index)..<(voice.startIndex + index + 2)]
          stereo += channel == 0 ? sample + Data(count: 2) : Data(count: 2) + sample
        }
        // So long that each is a paragraph, whoever says it.
        stereo += Data(count: 320_000)
      }
      let raw = folder.path("call.raw")
      try stereo.write(to: URL(fileURLWithPath: raw))
      let talk = folder.path("call.wav")
      let line = "ffmpeg -loglevel error -f s16le -ar 16000 -ac 2 -i '\(raw)' '\(talk)'"
      try #require(try await LonghandProcess.shell(line).status == 0)
      let imported = try await LonghandProcess([
        "import", "--library", folder.path("library"), "--channels", "separate", "--speaker-names",
        "Microphone,Call", talk,
      ]).result()
      let session = imported.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let server = try await PageServer(in: folder)
      try await server.run(
        "speakers.py", LonghandProcess.executable.path, session,
        try LeakingSession.write(to: folder.path("library")),
        try InterruptedSession.write(to: folder.path("library")))
      #expect(try await server.stop().status == 130)
    }

    @Test(.timeLimit(.minutes(10)))
    func pageAsksWhoSaidWhatIsUnsure() async throws {
      let session = try UnsureVoicesSession.write(to: folder.path("library"))
      let server = try await PageServer(in: folder)
      try await server.run("voices.py", session)
      #expect(try await server.stop().status == 130)
    }

    /// 300 sequences of 50 edits in ten sessions, with 30 kills of the server.
    @Test(.tagged(.soak), .timeLimit(.minutes(60)), arguments: 0..<30)
    func randomTypingLeadsBackToTheFirstTextWhileTheServerIsKilled(part: Int) async throws {
      let sessions = try (0..<10).map { _ in try UnsureSession.write(to: folder.path("library")) }
      try await PageServer.run(
        "random_typing.py", LonghandProcess.executable.path, folder.path("library"), "\(part * 10)", "10",
        "50", "1", sessions.joined(separator: ","))
    }

    @Test(.timeLimit(.minutes(30)))
    func pageShowsEveryRowOfALongSession() async throws {
      try await look("many.py", rows: isSoak ? 30_000 : 2_000, more: 200, every: 0.05, speakers: 2)
    }

    /// Prints the speed of the page with a session of eight hours.
    @Test(.tagged(.soak), .timeLimit(.minutes(60)))
    func speedWithEightHoursIsMeasured() async throws {
      let output = try await look("figures.py", rows: 30_000, more: 1200, every: 0.05)
      #expect(output.contains("figure: first paint"))
    }

    /// Prints the speed of the page with an hour, without speakers and with four.
    @Test(.tagged(.soak), .timeLimit(.minutes(60)), arguments: [0, 4])
    func speedWithSpeakersIsMeasured(speakers: Int) async throws {
      try await look("figures.py", rows: 1200, more: 20, every: 0.05, speakers: speakers)
      print("\(speakers) speakers")
    }

    /// Runs a program with a long session. When the program makes the signal file, this adds rows one by one, and writes
    /// the time of each commit, in seconds since 1970, to a file beside it.
    @discardableResult
    private func look(
      _ script: String, rows: Int, more: Int, every seconds: Double, speakers: Int = 0
    ) async throws -> String {
      let session = try LongSession(
        rows: rows, library: folder.path("library"), speakers: speakers,
        hasParagraphs: script == "figures.py")
      let server = try await PageServer(in: folder)
      let signal = folder.path("more")
      let writer = Task {
        // After a failure no signal comes, and the task is cancelled.
        while !folder.has("more") { try await Task.sleep(for: .milliseconds(20)) }
        var commits: [String] = []
        for row in rows..<rows + more {
          try session.add(row..<row + 1)
          commits.append("\(Date.now.timeIntervalSince1970)")
          try folder.write(commits.joined(separator: "\n"), to: "more.commits")
          try await Task.sleep(for: .seconds(seconds))
        }
      }
      defer { writer.cancel() }
      let output = try await server.run(script, session.id, "\(rows)", "\(more)", signal)
      #expect(try await server.stop().status == 130)
      return output
    }
  }
#endif
