#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Where audio files are decoded.
  @Suite(.tagged(.recognizer)) struct IsolationTests {
    private static let services = ["whisper-service", "sherpa-service", "pocketsphinx-service"]

    /// The dynamic linker's accounts of a run, and of the services that it uses: these do not get its variables, and the
    /// decoder's process has none.
    private func loaded(_ arguments: [String], in folder: TemporaryFolder) async throws -> [String] {
      let variables = [
        "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": folder.path("loaded"), "LONGHAND_LIBRARY": folder.path("l"),
      ]
      let result = try await LonghandProcess(arguments, environment: variables).result()
      #expect(result.status == 0)
      for service in Self.services {
        let process = Process()
        process.executableURL = LonghandProcess.products.appendingPathComponent(service)
        process.arguments = ["--help"]
        process.environment = variables
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
      return try names.filter { $0.hasPrefix("loaded.") }.map {
        try String(contentsOfFile: folder.path($0), encoding: .utf8)
      }
    }

    @Test(arguments: ["transcribe", "import"]) func onlyTheDecoderLoadsDemuxers(verb: String) async throws {
      let folder = try TemporaryFolder()
      let logs = try await loaded([verb, Recordings.short], in: folder)
      #expect(logs.count >= 1 + Self.services.count)
      #expect(logs.allSatisfy { $0.contains("libswiftCore") })
      #expect(logs.allSatisfy { !$0.contains("libavformat") })
    }
  }
#endif
