#if os(Linux)
  import Foundation
  import Longhand
  import SoundServer
  import TestSupport
  import Testing

  extension RecordingTests {
    /// The page of `serve`, in a browser, as people see it.
    @Suite(.tagged(.browser, .soundServer)) struct ServePageTests {
      private let folder: TemporaryFolder
      init() throws { folder = try TemporaryFolder() }

      /// All recordings one after the other, with pauses.
      private func talk() throws -> String {
        let pause = Data(count: 80_000)
        let sound = try Recordings.paths.reduce(pause) { try $0 + Recordings.samples(of: $1) + pause }
        return try Recordings.write(sound, to: folder.path("talk.wav"))
      }

      @Test(.timeLimit(.minutes(30)))
      func aRecordingIsMadeReadHeardChangedAndDeletedOnThePage() async throws {
        let sound = try await PulseServer()
        let server = try await PageServer(in: folder, environment: ["PULSE_SERVER": sound.address])
        let looked = try await server.look("recording.py", try talk(), LonghandProcess.executable.path)
        #expect(looked.status == 0, "\(looked.output)\(looked.errors)")
        #expect(looked.output.contains(" passed, 0 failed"))
        print(looked.output)
        #expect(try await server.stop().status == 130)
      }

      @Test(.timeLimit(.minutes(30)))
      func thousandsOfRowsAreShownAFewAtATimeAndNoneIsLost() async throws {
        let looked = try await look("many.py", rows: isSoak ? 30_000 : 6_000, more: 200, every: 0.05)
        #expect(looked.status == 0, "\(looked.output)\(looked.errors)")
        #expect(looked.output.contains(" passed, 0 failed"))
        print(looked.output)
      }

      /// How fast the page is with eight hours on it: figures for people, who know the machine.
      @Test(.tagged(.soak), .timeLimit(.minutes(60)))
      func theFiguresOfEightHoursCanBeMeasured() async throws {
        let looked = try await look("figures.py", rows: 30_000, more: 1200, every: 0.05)
        #expect(looked.status == 0, "\(looked.output)\(looked.errors)")
        #expect(looked.output.contains("figure: first paint"))
        print(looked.output)
      }

      /// Looks at a long session with a program, and adds rows, one by one, once it asks for them; when each of them was
      /// durable stands beside its wish, in seconds since 1970.
      private func look(
        _ script: String, rows: Int, more: Int, every seconds: Double
      ) async throws -> LonghandProcess.Result {
        let session = try LongSession(rows: rows, library: folder.path("library"))
        let server = try await PageServer(in: folder)
        let signal = folder.path("more")
        let writer = Task {
          // Nobody asks after a failure: then this is cancelled.
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
        let looked = try await server.look(script, session.id, "\(rows)", "\(more)", signal)
        #expect(try await server.stop().status == 130)
        return looked
      }
    }
  }
#endif
