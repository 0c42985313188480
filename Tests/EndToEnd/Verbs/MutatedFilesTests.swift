#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Damaged files, and containers with false times, transcribed by the command.
  @Suite(.tagged(.childProcess)) struct MutatedFilesTests {
    /// 2,000 files in `make soak`, 500 of them with false times. `mutated_audio.py` says what is checked.
    @Test(.timeLimit(.minutes(180))) func noSmallFileCostsMuchAndItsCoverageAddsUp() async throws {
      let folder = try TemporaryFolder()
      try ToneRecognizer.write([3, 11, 19, 4], [5, 6, 7], [1, 2], to: folder.path("talk.wav"))
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("mutated_audio.py").path
      let process = try LonghandProcess(
        ["exec python3 '\(script)' '\(LonghandProcess.executable.path)' talk.wav \(isSoak ? 2000 : 12) ."],
        environment: try ToneRecognizer.environment(in: folder), in: folder.url, shell: true)
      let result = try await process.result(within: .seconds(10_000))
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      print(result.output)
    }
  }
#endif
