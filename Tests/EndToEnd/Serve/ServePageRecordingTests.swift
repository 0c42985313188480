#if os(Linux)
  import Foundation
  import SoundServer
  import TestSupport
  import Testing

  extension RecordingTests {
    /// Records on the page of `serve`, in a browser, with a recognizer whose text is live.
    @Suite(.tagged(.browser, .soundServer), .recognizer(.pocketSphinx)) struct ServePageRecordingTests {
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
        try sound.addMicrophone()
        let server = try await PageServer(in: folder, environment: ["PULSE_SERVER": sound.address])
        try await server.run(
          "recording.py", try talk(), Recordings.short, LonghandProcess.executable.path)
        #expect(try await server.stop().status == 130)
      }
    }
  }
#endif
