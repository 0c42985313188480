#if os(Linux)
  import Foundation
  import ScriptedSpeech
  import TestSupport
  import Testing

  extension StoredSessionTests {
    /// The workers that answer one request after another.
    @Suite struct ServeWarmTests {
      private let folder: TemporaryFolder

      init() throws { folder = try TemporaryFolder() }

      private func ask(
        _ server: ServeProcess, _ path: String, _ fields: [String: String] = [:],
        at address: String = "/v1/audio/transcriptions"
      ) throws -> HTTPConnection.Response {
        let form = ServeProcess.form(
          try Data(contentsOf: URL(fileURLWithPath: path)), fields.merging(["model": "longhand"]) { $1 })
        return try HTTPConnection.ask(
          server.port, "POST", address, server.signedIn.merging(["Content-Type": form.type]) { $1 },
          body: form.body)
      }

      /// The processes below a process.
      private static func tree(_ process: String) -> [String] {
        let folder = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let children = threads.flatMap { thread in
          ((try? String(contentsOfFile: "\(folder)/\(thread)/children", encoding: .utf8)) ?? "")
            .split(separator: " ").map(String.init)
        }
        return children + children.flatMap(tree)
      }

      private static func isRunning(_ process: String) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        return !status.isEmpty && !status.contains("State:\tZ")
      }

      /// One recognizer process answers them all, and each gets what a process of its own would write: nothing of the
      /// requests before, neither their text nor the words that they expected.
      @Test func requestsShareTheRecognizerAndNothingElse() async throws {
        let server = try await ServeProcess(in: folder)
        var cold: [String: String] = [:]
        for path in Recordings.paths.prefix(2) {
          cold[path] = try await LonghandProcess.run("transcribe", "--srt", path).output
        }
        var trees: [Set<String>] = []
        for path in Recordings.paths.prefix(2) + Recordings.paths.prefix(2).reversed() {
          let prompted = try ask(server, path, ["prompt": "Winawer, Kimura, zugzwang"])
          #expect(prompted.status == 200)
          let streamed = try ask(server, path, ["stream": "true"])
          #expect(streamed.text.contains("transcript.text.done"))
          let plain = try ask(server, path, ["response_format": "srt"])
          #expect(plain.text == cold[path], "\(path)")
          trees.append(Set(Self.tree(String(server.process.identifier))))
        }
        #expect(server.children.count == 1)
        // The worker, its decoder and its recognizer of the first request are those of the last one.
        #expect(trees.reduce(trees[0]) { $0.intersection($1) }.count > 2)
        #expect(try await server.stop().status == 130)
        #expect(await eventually { trees.joined().allSatisfy { !Self.isRunning($0) } })
      }

      /// Also a server that is killed leaves no process behind.
      @Test func killedServerLeavesNoWaitingWorker() async throws {
        let server = try await ServeProcess(in: folder)
        #expect(try ask(server, Recordings.short).status == 200)
        try await expectNoneIsLeft(of: server)
      }

      /// Nor a worker that waits for its recognizer, which never answers.
      @Test(.recognizer(.pocketSphinx)) func killedServerLeavesNoBusyWorker() async throws {
        let server = try await ServeProcess(
          in: folder,
          environment: [
            "SPEECH_SERVICE_PATH": LonghandProcess.products.appendingPathComponent("scripted-speech-service")
              .path,
            HostileAnswer.variable: HostileAnswer.silence.rawValue, "SPEECH_SERVICE_PATIENCE": "10000",
          ])
        let form = ServeProcess.form(try Data(contentsOf: URL(fileURLWithPath: Recordings.short)))
        let client = try HTTPConnection(port: server.port)
        try client.send(
          "POST", "/v1/audio/transcriptions", server.signedIn.merging(["Content-Type": form.type]) { $1 },
          body: form.body, port: server.port)
        // The worker, its decoder, and its recognizer.
        #expect(await eventually { Self.tree(String(server.process.identifier)).count > 2 })
        try await expectNoneIsLeft(of: server)
      }

      private func expectNoneIsLeft(of server: ServeProcess) async throws {
        let tree = Self.tree(String(server.process.identifier))
        #expect(tree.count > 1)
        server.process.send(SIGKILL)
        _ = try await server.process.result()
        #expect(await eventually { tree.allSatisfy { !Self.isRunning($0) } })
      }

      /// Whatever a recognizer answers, the server goes on, and says so.
      @Test(
        .recognizer(.pocketSphinx),
        arguments: isSoak
          ? HostileAnswer.allCases : [.backwardWord, .stallInPayload, .controlCharactersInErrors])
      func hostileRecognizerIsReplaced(_ hostile: HostileAnswer) async throws {
        let service = LonghandProcess.products.appendingPathComponent("scripted-speech-service").path
        let server = try await ServeProcess(
          in: folder,
          environment: [
            "SPEECH_SERVICE_PATH": service, HostileAnswer.variable: hostile.rawValue,
            "SPEECH_SERVICE_PATIENCE": isSoak ? "2" : "0.3", "SWIFT_BACKTRACE": "enable=no",
          ])
        for _ in 0..<2 {
          let answer = try ask(server, Recordings.short)
          #expect([200, 500].contains(answer.status), "\(answer.text)")
          let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
          #expect(!answer.text.unicodeScalars.contains { isControl($0) && $0 != "\n" })
        }
        #expect(try server.ask("/health").status == 200)
        #expect(try await server.stop().status == 130)
      }

      /// The addresses of other servers, with the forms of the programs that know them.
      @Test func addressesOfOtherServersAreAnswered() async throws {
        let server = try await ServeProcess(in: folder)
        let wave = try Data(contentsOf: URL(fileURLWithPath: Recordings.short))
        let text = try #require(try ask(server, Recordings.short).json["text"] as? String)
        #expect(!text.isEmpty)
        func send(_ address: String, _ file: Data, _ part: String) throws -> HTTPConnection.Response {
          let body =
            Data(
              "--b\r\nContent-Disposition: form-data; name=\"\(part)\"; filename*=UTF-8''a.wav\r\n\r\n".utf8)
            + file + Data("\r\n--b--\r\n".utf8)
          return try HTTPConnection.ask(
            server.port, "POST", address,
            server.signedIn.merging(["Content-Type": "multipart/form-data; boundary=b"]) { $1 }, body: body)
        }
        // Bazarr sends samples without a header.
        for (encode, file) in [("true", wave), ("false", wave.dropFirst(44))] {
          let query = "?task=transcribe&language=en&encode=\(encode)"
          #expect(try send("/asr\(query)&output=txt", file, "audio_file").text == text + "\n")
          let whole = try send("/asr\(query)&output=json&word_timestamps=true", file, "audio_file").json
          #expect(whole["text"] as? String == text)
          #expect(whole["language"] as? String == "en")
          let words = (whole["segments"] as? [[String: Any]])?.compactMap { $0["words"] as? [[String: Any]] }
          #expect(words?.first?.first?["start"] is Double)
          #expect(try send("/asr\(query)&output=srt", file, "audio_file").text.hasPrefix("1\n00:00:0"))
          #expect(
            try send("/asr\(query)&output=tsv", file, "audio_file").text.hasPrefix("start\tend\ttext\n"))
        }
        #expect(try ask(server, Recordings.short, at: "/inference").json["text"] as? String == text)
        let captions = try ask(server, Recordings.short, ["response_format": "vtt"], at: "/inference")
        #expect(captions.text.hasPrefix("WEBVTT"))
        let answer = try send("/audio/transcriptions", wave, "file")
        #expect(answer.status == 404)
        #expect(answer.text.contains("/v1/audio/transcriptions"))
        #expect(answer.code == "no_v1")
        #expect(try server.ask("/models").code == "no_v1")
        #expect(try server.ask("/v1/v1/models").code == "no_v1")
        #expect(try server.ask("/v1/nothing").code != "no_v1")
        #expect(server.children.count == 1)
      }

      /// The best model that is installed detects languages.
      @Test func languageIsDetected() async throws {
        let prefix = ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local"
        let server = try await ServeProcess(
          ["--locale", "en-US"], in: folder,
          environment: ["SPEECH_SYSTEM_MODEL_PATH": "\(prefix)/share/longhand/models", "SPEECH_MODEL": ""])
        let english = try ask(server, Recordings.short, at: "/detect-language")
        #expect(english.json["language_code"] as? String == "en", "\(english.text)")
        #expect(english.json["detected_language"] as? String == "english")
        #expect(english.json["confidence"] as? Double == 1)
        let spanish = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .appendingPathComponent("../../Models/languages/spanish.raw").standardized.path
        let answer = try ask(server, spanish, at: "/detect-language?encode=false")
        #expect(answer.json["language_code"] as? String == "es", "\(answer.text)")
        let long = folder.path("long.wav")
        try Recordings.repeated(seconds: 1200, to: long)
        // It does not take the time of twenty minutes.
        #expect(try ask(server, long, at: "/detect-language").json["language_code"] as? String == "en")
      }

      @Test func speakersAreStreamed() async throws {
        let server = try await ServeProcess(in: folder)
        let fields = ["response_format": "diarized_json", "model": "gpt-4o-transcribe-diarize"]
        let whole = try ask(server, Recordings.short, fields)
        let streamed = try ask(server, Recordings.short, fields.merging(["stream": "true"]) { $1 })
        #expect(streamed.headers["content-type"] == "text/event-stream")
        let events = streamed.text.split(separator: "\n").filter { $0.hasPrefix("data: {") }
          .compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.dropFirst(6).utf8)) as? [String: Any]
          }
        let segments = events.filter { $0["type"] as? String == "transcript.text.segment" }
        #expect(!segments.isEmpty)
        #expect(segments.allSatisfy { $0["speaker"] is String })
        #expect(segments as NSArray == (whole.json["segments"] as? [[String: Any]] ?? []) as NSArray)
        #expect(events.last?["text"] as? String == whole.json["text"] as? String)
        #expect(streamed.text.hasSuffix("data: [DONE]\n\n"))
        let models = try server.ask("/v1/models").text
        #expect(models.contains("gpt-4o-transcribe-diarize"))
      }
    }
  }
#endif
