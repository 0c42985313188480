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
        // Its utterances have a worker, which is also that of other clients.
        let form = ServeProcess.form(try Data(contentsOf: URL(fileURLWithPath: Recordings.short)))
        let worker = server.children
        #expect(worker.count == 1)
        let answer = try HTTPConnection.ask(
          server.port, "POST", "/v1/audio/transcriptions",
          server.signedIn.merging(["Content-Type": form.type]) { $1 }, body: form.body)
        #expect(answer.status == 200)
        #expect(server.children == worker)
        #expect(try await server.stop().status == 130)
      }

      /// Numbers at the ends of what an integer can be, at each place of the protocol that has one; see
      /// `ExtremeNumbersTests`.
      @Test func extremeNumbersAreRefused() async throws {
        let server = try await ServeProcess(["--wyoming", "--wyoming-port", "0"], in: folder)
        #expect(await eventually { (try? folder.read("serve-output"))?.contains("tcp://") == true })
        let address = try #require(
          try folder.read("serve-output").split(separator: "\n").first { $0.hasPrefix("tcp://") })
        let port = try #require(URL(string: String(address))?.port)
        let chunk = String(repeating: " ", count: 320)
        func answers(_ messages: String) throws -> String {
          let connection = try HTTPConnection(port: port, patience: 30)
          try connection.write(Data((messages + #"{"type": "ping"}"# + "\n").utf8))
          connection.finishSending()
          return String(decoding: try connection.rest(), as: UTF8.self)
        }
        for number in ExtremeNumbersTests.numbers where number != "nan" {
          // What the audio is: the utterance is refused, and the connection goes on.
          for name in ["rate", "channels", "width"] {
            for form in [
              #"{"type": "audio-start", "data": {"\#(name)": \#(number)}}"#,
              #"{"type": "audio-chunk", "data": {"\#(name)": \#(number)}, "payload_length": 320}"#
                + "\n\(chunk)",
            ] {
              let separator = form.hasSuffix(" ") ? "" : "\n"
              let found = try answers(form + separator)
              #expect(found.contains(#""code": "format""#), "\(form.prefix(90)): \(found)")
              #expect(found.contains(#""type": "pong""#), "\(form.prefix(90)): \(found)")
            }
          }
          // How long the message is: what follows cannot be read.
          for name in ["data_length", "payload_length"] {
            let found = try answers(#"{"type": "describe", "\#(name)": \#(number)}"# + "\n")
            #expect(found.isEmpty, "\(name) \(number): \(found)")
          }
          // What nobody reads.
          let times =
            #"{"type": "audio-start", "data": {"timestamp": \#(number)}}"# + "\n"
            + #"{"type": "audio-stop", "data": {"timestamp": \#(number)}}"# + "\n"
            + #"{"type": "transcribe", "data": {"language": \#(number)}}"# + "\n"
          let found = try answers(times)
          #expect(found.contains(#""type": "transcript""#) && found.contains(#""type": "pong""#), "\(found)")
        }
        #expect(server.residentBytes < 500 << 20)
        #expect(try await server.stop().status == 130)
      }

      /// An empty text would say that nothing was said.
      @Test(.recognizer(.pocketSphinx)) func failureOnAllOfTheSpeechIsAnError() async throws {
        let server = try await ServeProcess(
          ["--wyoming", "--wyoming-port", "0"], in: folder,
          environment: LonghandProcess.faultyService(pieces: "0,1,2,3,4,5,6,7"))
        #expect(await eventually { (try? folder.read("serve-output"))?.contains("tcp://") == true })
        let address = try #require(
          try folder.read("serve-output").split(separator: "\n").first { $0.hasPrefix("tcp://") })
        let connection = try HTTPConnection(port: try #require(URL(string: String(address))?.port))
        let audio = try Data(contentsOf: URL(fileURLWithPath: Recordings.short)).dropFirst(44)
        try connection.write(Data((#"{"type": "audio-start", "data": {"rate": 16000}}"# + "\n").utf8))
        try connection.write(
          Data((#"{"type": "audio-chunk", "payload_length": \#(audio.count)}"# + "\n").utf8) + audio)
        try connection.write(Data((#"{"type": "audio-stop"}"# + "\n").utf8))
        connection.finishSending()
        let answer = String(decoding: try connection.rest(), as: UTF8.self)
        #expect(answer.contains(#""type": "error""#), "\(answer)")
        #expect(answer.contains(#""code": "incomplete""#), "\(answer)")
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
