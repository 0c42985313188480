#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  extension StoredSessionTests {
    /// Home Assistant's protocol for speech recognizers.
    @Suite struct ServeWyomingTests {
      private let folder: TemporaryFolder

      init() throws { folder = try TemporaryFolder() }

      @Test func homeAssistantsOwnPackageGetsTheText() async throws {
        let server = try await ServeProcess(["--wyoming", "--wyoming-port", "0"], in: folder)
        #expect(await eventually { (try? folder.read("serve-output"))?.contains("tcp://") == true })
        let address = try #require(
          try folder.read("serve-output").split(separator: "\n").first { $0.hasPrefix("tcp://") })
        #expect(address.hasPrefix("tcp://127.0.0.1:"))
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .appendingPathComponent("../../..").standardized.path
        let result = try await LonghandProcess.shell(
          "\"$('\(package)/Scripts/test-python' wyoming)\" -B '\(package)/Tests/EndToEnd/OpenAI/wyoming_client.py' "
            + "'\(address)' '\(Recordings.short)'")
        try #require(result.status == 0, "\(result.errors)")
        let answers = try #require(
          try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let printed = try await LonghandProcess.run("transcribe", "--format", "json", Recordings.short)
        let text =
          try #require(
            try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])["text"]
          as? String
        #expect(text?.isEmpty == false)
        #expect(answers["first"] as? String == text)
        #expect(answers["second"] as? String == text)
        #expect((answers["refused"] as? [String: String])?["error"] == "format")
        #expect(answers["model"] as? String == TestedRecognizer.current.model)
        #expect(answers["languages"] as? [String] == ["en"])
        #expect(answers["installed"] as? Bool == true)
        #expect(try await server.stop().status == 130)
      }

      @Test func portWithoutTheProtocolIsRefused() async throws {
        let result = try await LonghandProcess.run("serve", "--wyoming-port", "1")
        #expect(result.status == 2)
        #expect(result.errors.contains("--wyoming"))
      }
    }
  }
#endif
