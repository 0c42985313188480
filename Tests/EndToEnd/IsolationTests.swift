#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Where audio files are decoded.
  @Suite(.tagged(.recognizer)) struct IsolationTests {
    /// The dynamic linker's account of a run: a file for each process that has the variables of the run. The decoder's
    /// process has none.
    private func loaded(_ arguments: [String], in folder: TemporaryFolder) async throws -> [String] {
      let log = folder.path("loaded")
      let result = try await LonghandProcess(
        arguments,
        environment: ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": log, "LONGHAND_LIBRARY": folder.path("l")]
      ).result()
      #expect(result.status == 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
      return try names.filter { $0.hasPrefix("loaded.") }.map {
        try String(contentsOfFile: folder.path($0), encoding: .utf8)
      }
    }

    @Test(arguments: ["transcribe", "import"]) func onlyTheDecoderLoadsDemuxers(verb: String) async throws {
      let folder = try TemporaryFolder()
      let logs = try await loaded([verb, Recordings.short], in: folder)
      #expect(logs.count >= 2)
      #expect(logs.allSatisfy { $0.contains("libswiftCore") })
      #expect(logs.allSatisfy { !$0.contains("libavformat") })
    }
  }
#endif
