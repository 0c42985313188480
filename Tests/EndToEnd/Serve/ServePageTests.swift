#if os(Linux)
  import Foundation
  import Longhand
  import TestSupport
  import Testing

  /// Tests the page of `serve` in a browser: files, options, vocabularies. One after another, as a browser keeps a processor
  /// busy. What was recognized does not matter, and PocketSphinx takes least of the processor.
  @Suite(.tagged(.browser, .recognizer, .childProcess), .recognizer(.pocketSphinx), .serialized)
  struct ServePageTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test(.timeLimit(.minutes(30)))
    func pageBringsFilesInNamesFindsCopiesAndDeletes() async throws {
      let server = try await PageServer(in: folder)
      try await server.run(
        "library.py", LonghandProcess.executable.path, Recordings.short, Recordings.long,
        Recordings.paths[4])
      #expect(try await server.stop().status == 130)
    }

    @Test(.timeLimit(.minutes(30)))
    func pageStopsMovesAndRemovesWhatRunsOrWaits() async throws {
      let library = try KillableLibrary.slow()
      // The browser needs a short path for its sockets.
      let environment = library.environment.filter { $0.key != "TMPDIR" }
      let server = try await PageServer(in: library.folder, environment: environment)
      try await server.run("stop.py", library.talk)
      #expect(try await server.stop().status == 130)
    }

    @Test(.timeLimit(.minutes(30)))
    func pageAsksHowToTranscribeEditsVocabulariesAndReplaces() async throws {
      let server = try await PageServer(in: folder)
      try await server.run(
        "options.py", LonghandProcess.executable.path, Recordings.short, Recordings.long)
      #expect(try await server.stop().status == 130)
    }

    @Test(.timeLimit(.minutes(30)))
    func pageEditsVocabulariesAsPeopleHaveThemAndLearnsFromCorrections() async throws {
      let sessions = try (0..<2).map { _ in try UnsureSession.write(to: folder.path("library")) }
      let server = try await PageServer(in: folder)
      try await server.run(
        "vocabularies.py", LonghandProcess.executable.path, sessions[0], sessions[1])
      #expect(try await server.stop().status == 130)
    }

    @Test(.tagged(.soak), .timeLimit(.minutes(30)))
    func pageLetsVoicesSayTheTermsAndShowsWhatBecameOfEach() async throws {
      let flite = folder.path("flite")
      let server = try await PageServer(in: folder, environment: ["FLITE_PATH": flite])
      try await server.run("trial.py", flite)
      #expect(try await server.stop().status == 130)
    }

    /// Spanish that was ordered in English.
    @Test(.timeLimit(.minutes(30))) func pageOffersTheLanguageThatIsHeard() async throws {
      let speech = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Models/languages/spanish.raw").standardized
      let samples = try Data(contentsOf: speech)
      let file = try Recordings.write(samples, to: folder.path("spanish.wav"))
      // For the browser's microphone: each round ends with two seconds of silence.
      let round = try Recordings.write(samples + Data(count: 64_000), to: folder.path("round.wav"))
      let environment = ["SPEECH_SYSTEM_MODEL_PATH": "", "SPEECH_MODEL": "whisper-base"]
      let imported = try await LonghandProcess(
        ["import", "-q", "--locale", "en-US", "--library", folder.path("library"), file],
        environment: environment
      ).result()
      let server = try await PageServer(in: folder, environment: environment)
      try await server.run(
        "heard.py", imported.output.trimmingCharacters(in: .whitespacesAndNewlines), round)
      #expect(try await server.stop().status == 130)
    }

    /// Three files, a name, ten corrections, a search and captions.
    @Test(.timeLimit(.minutes(30)))
    func personGoesTheWholeWayByMouseAndByKeysAlone() async throws {
      let server = try await PageServer(in: folder)
      let pause = Data(count: 16_000)
      // Each way has files of its own: the same bytes would be duplicates.
      let files = try (0..<6).map { index in
        let sound = try Recordings.samples(of: Recordings.paths[index % 3 == 0 ? 0 : 1])
        let padding = Data(count: 2 * index)
        return try Recordings.write(pause + sound + pause + padding, to: folder.path("file-\(index).wav"))
      }
      try await server.run(
        "way.py", files[0], files[1], files[2], files[3], files[4], files[5])
      #expect(try await server.stop().status == 130)
    }

    /// The same way while the server is killed at random moments.
    @Test(.timeLimit(.minutes(60)))
    func wayIsGoneToItsEndWhileTheServerIsKilled() async throws {
      let files = try [0, 1, 4].map { index in
        try Recordings.write(
          Data(count: 16_000) + Recordings.samples(of: Recordings.paths[index]) + Data(count: 16_000),
          to: folder.path("file-\(index).wav"))
      }
      try await PageServer.run(
        "killed.py", LonghandProcess.executable.path, folder.path("library"), isSoak ? "50" : "2", files[0],
        files[1], files[2])
    }

    @Test(.timeLimit(.minutes(10)))
    func browserStaysSignedInWhenTheServerIsStartedAgain() async throws {
      try await PageServer.run(
        "signed_in.py", LonghandProcess.executable.path, folder.path("library"))
    }

    /// A day's work: three recordings, 60 corrections, replacements, speakers and exports, while the server dies twice.
    @Test(.tagged(.soak), .timeLimit(.minutes(60)))
    func dayIsWorkedByKeysAlone() async throws {
      let paths = [0, 2, 3, 4].map { Recordings.paths[$0] }
      try await PageServer.run(
        "worked-day.py", LonghandProcess.executable.path, folder.path("library"), paths[0], paths[1],
        paths[2], paths[3])
    }
  }
#endif
