#if os(Linux)
  import Foundation
  import Longhand
  import SoundServer
  import TestSupport
  import Testing

  extension RecordingTests {
    /// Tests the page of `serve` in a browser.
    @Suite(.tagged(.browser, .soundServer)) struct ServePageTests {
      private let folder: TemporaryFolder
      init() throws { folder = try TemporaryFolder() }

      /// All test recordings one after the other, with pauses.
      private func talk() throws -> String {
        let pause = Data(count: 80_000)
        let sound = try Recordings.paths.reduce(pause) { try $0 + Recordings.samples(of: $1) + pause }
        return try Recordings.write(sound, to: folder.path("talk.wav"))
      }

      @Test(.timeLimit(.minutes(30)))
      func pageRecordsReadsPlaysChangesAndDeletes() async throws {
        let sound = try await PulseServer()
        let server = try await PageServer(in: folder, environment: ["PULSE_SERVER": sound.address])
        let result = try await server.run("recording.py", try talk(), LonghandProcess.executable.path)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains(" passed, 0 failed"))
        print(result.output)
        #expect(try await server.stop().status == 130)
      }

      @Test(.timeLimit(.minutes(30)))
      func pageBringsFilesInNamesFindsCopiesAndDeletes() async throws {
        let server = try await PageServer(in: folder)
        let result = try await server.run(
          "library.py", LonghandProcess.executable.path, Recordings.short, Recordings.long,
          Recordings.paths[4])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains(" passed, 0 failed"))
        print(result.output)
        #expect(try await server.stop().status == 130)
      }

      @Test(.timeLimit(.minutes(30)))
      func pageShowsEveryRowOfALongSession() async throws {
        let result = try await look("many.py", rows: isSoak ? 30_000 : 6_000, more: 200, every: 0.05)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains(" passed, 0 failed"))
        print(result.output)
      }

      /// Prints the speed of the page with a session of eight hours.
      @Test(.tagged(.soak), .timeLimit(.minutes(60)))
      func speedWithEightHoursIsMeasured() async throws {
        let result = try await look("figures.py", rows: 30_000, more: 1200, every: 0.05)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("figure: first paint"))
        print(result.output)
      }

      /// Runs a program with a long session. When the program makes the signal file, this adds rows one by one, and writes
      /// the time of each commit, in seconds since 1970, to a file beside it.
      private func look(
        _ script: String, rows: Int, more: Int, every seconds: Double
      ) async throws -> LonghandProcess.Result {
        let session = try LongSession(rows: rows, library: folder.path("library"))
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
        let result = try await server.run(script, session.id, "\(rows)", "\(more)", signal)
        #expect(try await server.stop().status == 130)
        return result
      }
    }
  }
#endif
