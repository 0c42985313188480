#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  extension RecordingTests {
    /// Records on the page of `serve` with the microphone of the browser. The server has no sound. One sentence is enough of the
    /// text, and PocketSphinx takes least of the processor.
    @Suite(.tagged(.browser), .recognizer(.pocketSphinx)) struct ServePageMicrophoneTests {
      private let folder: TemporaryFolder
      init() throws { folder = try TemporaryFolder() }

      /// Ends with silence, so that the begin of each round is found again.
      private func round() throws -> (path: String, seconds: Double) {
        let samples = try Recordings.samples(of: Recordings.short) + Data(count: 32_000)
        return (
          try Recordings.write(samples, to: folder.path("round.wav")), Double(samples.count) / 32_000
        )
      }

      @Test(.timeLimit(.minutes(30)))
      func browsersMicrophoneIsRecordedOverBrokenConnectionsAndAKilledTab() async throws {
        let round = try round()
        let server = try await PageServer(in: folder, environment: ["PULSE_SERVER": "unix:/nowhere"])
        try await server.run("microphone.py", round.path, "\(round.seconds)")
        #expect(try await server.stop().status == 130)
      }
    }
  }
#endif
