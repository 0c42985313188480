#if os(Linux)
  import Foundation
  import Longhand
  import TestSupport
  import Testing

  extension LongStoredSessionTests {
    @Suite struct ServeTests {
      private let folder: TemporaryFolder

      init() throws { folder = try TemporaryFolder() }

      @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
      func addressIsPrintedAndASignalEndsTheServer(_ signal: Int32, _ status: Int32) async throws {
        let server = try await ServeProcess(in: folder)
        #expect(server.address == "http://127.0.0.1:\(server.port)/?token=\(server.token)")
        #expect(server.token.count == 48)
        #expect(try server.ask("/health").json["status"] as? String == "ok")
        let events = try HTTPConnection(port: server.port)
        try events.send("GET", "/api/events", server.signedIn, port: server.port)
        _ = try events.head()
        server.process.send(signal)
        #expect(try await server.process.result().status == status)
        #expect(try folder.read("serve-output") == server.address + "\n")
        #expect(try folder.read("serve-errors").isEmpty)
      }

      @Test func unusableAddressIsNamed() async throws {
        let server = try await ServeProcess(in: folder)
        let cases = [
          (
            ["--port", "\(server.port)"],
            "Port \(server.port) of 127.0.0.1 is in use. Choose another with --port"
          ),
          (["--listen", "example.org"], "is not an IP address"),
          (["--listen", "192.0.2.77", "--port", "0"], "is not an address of this machine"),
          (["--locale", "eo", "--port", "0"], "No installed model recognizes the language eo"),
        ]
        for (arguments, text) in cases {
          let library = ["--library", folder.path("other")]
          let result = try await LonghandProcess(["serve"] + arguments + library).result()
          #expect(result.status == 1)
          #expect(result.errorLines.count == 1)
          #expect(result.errors.contains(text))
          #expect(result.output.isEmpty)
        }
        #expect(try server.ask("/health").status == 200)
      }

      @Test func requestFromTheNetworkNeedsThePrintedToken() async throws {
        let server = try await ServeProcess(["--listen", "0.0.0.0"], in: folder)
        // A browser cannot open "any address".
        #expect(!server.address.contains("0.0.0.0"))
        #expect(server.address.hasSuffix(":\(server.port)/?token=\(server.token)"))
        #expect(try server.ask("/api/sessions", ["Authorization": ""]).status == 401)
        #expect(try server.ask("/api/sessions").status == 200)
      }

      /// A file or a variable keeps the token, so that clients need it once. No other user can read either.
      @Test func tokenIsKept() async throws {
        let path = folder.path("token")
        let first = try await ServeProcess(["--token-file", path], in: folder)
        #expect(try folder.read("token") == first.token + "\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await first.stop().status == 130)
        let second = try await ServeProcess(["--token-file", path], in: folder)
        #expect(second.token == first.token)
        let commandLine = try String(
          contentsOfFile: "/proc/\(second.process.identifier)/cmdline", encoding: .utf8)
        #expect(!commandLine.contains(second.token))
        #expect(try await second.stop().status == 130)
        let variable = ["LONGHAND_TOKEN": "a-token/of+my-own="]
        let third = try await ServeProcess(in: folder, environment: variable)
        #expect(third.token == "a-token/of+my-own=")
        #expect(try third.ask("/api/sessions").status == 200)
      }

      /// Without a name of a file too.
      @Test func tokenIsKeptInTheConfigurationUntilANewOneIsAskedFor() async throws {
        let first = try await ServeProcess(in: folder)
        let path = folder.path("config/longhand/token")
        #expect(try folder.read("config/longhand/token") == first.token + "\n")
        let mode = { try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
        #expect(try mode(path) == 0o600)
        #expect(try mode(folder.path("config/longhand")) == 0o700)
        #expect(try await first.stop().status == 130)
        let second = try await ServeProcess(in: folder)
        #expect(second.token == first.token)
        #expect(try await second.stop().status == 130)
        let third = try await ServeProcess(["--new-token"], in: folder)
        #expect(third.token != first.token)
        #expect(try folder.read("config/longhand/token") == third.token + "\n")
        #expect(try await third.stop().status == 130)
        // Where nothing can be kept, the server starts all the same.
        try folder.write("no folder", to: "file")
        let fourth = try await ServeProcess(
          in: folder, environment: ["XDG_CONFIG_HOME": folder.path("file")])
        #expect(fourth.token.count == 48)
        #expect(try folder.read("serve-errors").contains("The token cannot be kept"))
      }

      @Test func proxyOffersTheServerAtItsOwnAddress() async throws {
        let server = try await ServeProcess(["--origin", "https://box.example:8443/"], in: folder)
        let proxied = ["Host": "box.example:8443", "Origin": "https://box.example:8443"]
        #expect(try server.ask("/api/sessions", proxied).status == 200)
        #expect(
          try server.ask("/api/sessions", proxied.merging(["Authorization": ""]) { $1 }).status == 401)
        for (host, origin) in [
          ("box.example:8443", "http://box.example:8443"), ("box.example", "https://box.example"),
          ("box.example:8443", "https://evil.example"),
          ("127.0.0.1:\(server.port)", "https://box.example:8443"),
        ] {
          #expect(try server.ask("/api/sessions", ["Host": host, "Origin": origin]).status >= 400, "\(host)")
        }
        // Only at the own address of the computer does a browser stay signed in.
        #expect(try server.ask("/api/browser-key", proxied).text.contains("null"))
        #expect(!(try server.ask("/api/browser-key").text.contains("null")))
      }

      /// Swift's report of a crash would write memory into the system's journal, and takes seconds.
      @Test(arguments: [SIGILL, SIGSEGV, SIGABRT]) func aCrashEndsTheServerWithoutAReport(_ number: Int32)
        async throws
      {
        let server = try await ServeProcess(in: folder)
        #expect(kill(server.process.identifier, number) == 0)
        let result = try await server.process.result()
        #expect(result.status == 128 + number || result.status == number)
        #expect(!result.errors.contains("crashed"), "\(result.errors)")
      }

      @Test func unusableTokenIsNamed() async throws {
        try folder.write("short", to: "short")
        try folder.write("0123456789abcdef", to: "open")
        for (name, mode) in [("short", 0o600), ("open", 0o644)] {
          try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: folder.path(name))
        }
        let cases = [
          (["--token-file", folder.path("short")], "A token has 16 to 256 characters"),
          (["--token-file", folder.path("open")], "Run: chmod 600"),
          (["--token-file", folder.path("no/folder")], "Cannot create the file with the token"),
          (["--no-token", "--listen", "0.0.0.0"], "Leave out --no-token"),
        ]
        for (arguments, text) in cases {
          let library = ["--library", folder.path("library")]
          let process = try LonghandProcess(["serve", "--port", "0"] + arguments + library)
          // A token that is accepted starts a server, which does not end.
          let result = try await process.result(within: .seconds(60))
          #expect(result.status == 1)
          #expect(result.errors.contains(text), "\(result.errors)")
          #expect(result.output.isEmpty)
        }
      }

      @Test func serverWithoutATokenWarns() async throws {
        let server = try await ServeProcess(["--no-token"], in: folder)
        #expect(server.address == "http://127.0.0.1:\(server.port)/")
        #expect(try server.ask("/api/sessions").status == 200)
        #expect(try folder.read("serve-errors").hasPrefix("longhand: warning: Without a token"))
      }

      /// `--open` gives the browser a file that leads to the address; without it, a person at a terminal reads what to do.
      @Test func pageIsOpenedOrItIsSaidHow() async throws {
        let (opened, screen) = (folder.path("opened"), folder.path("screen"))
        try folder.write("#!/bin/sh\ncat \"$1\" >\(opened)\n", to: "xdg-open")
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o700], ofItemAtPath: folder.path("xdg-open"))
        let path = folder.url.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let server = try await ServeProcess(["--open"], in: folder, environment: ["PATH": path])
        let leads = { (try? folder.read("opened"))?.contains("url=\(server.address)\"") == true }
        #expect(await eventually { leads() })
        #expect(try await server.stop().status == 130)
        let line = "longhand serve --port 0 --library \(folder.path("other"))"
        let terminal = try LonghandProcess(
          ["exec script -qfec 'exec \(line)' \(screen)"], input: .open, environment: ["TERM": "xterm"],
          shell: true)
        let hint = "Open this address in a web browser, or start with --open."
        #expect(await eventually { (try? folder.read("screen"))?.contains(hint) == true })
        terminal.send(SIGTERM)
        _ = try await terminal.result()
      }

      @Test func exportEqualsThatOfTheCommandLine() async throws {
        let environment = ["LONGHAND_LIBRARY": folder.path("library")]
        _ = try await LonghandProcess(["import", Recordings.short], environment: environment).result()
        let server = try await ServeProcess(in: folder)
        let list = try server.ask("/api/sessions").json["sessions"] as? [[String: Any]]
        let id = try #require(list?.first?["id"] as? String)
        for format in TranscriptFormat.allCases where format.isText {
          let printed = try await LonghandProcess(
            ["export", id, "--format", format.rawValue], environment: environment
          ).result()
          let answer = try server.ask("/api/sessions/\(id)/export?format=\(format.rawValue)")
          #expect(answer.text == printed.output, "\(format)")
          #expect(!printed.output.isEmpty, "\(format)")
        }
      }

      /// OpenAI's own client, with every format.
      @Test func clientOfOpenAIGetsEveryFormat() async throws {
        let server = try await ServeProcess(in: folder)
        let nothing = try folder.write("no sound", to: "none.wav")
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .appendingPathComponent("../../..").standardized.path
        let line =
          "\"$('\(package)/Scripts/test-python')\" -B '\(package)/Tests/EndToEnd/OpenAI/client.py' "
          + "'http://127.0.0.1:\(server.port)/' '\(server.token)' '\(Recordings.short)' '\(nothing)'"
        let result = try await LonghandProcess.shell(line)
        try #require(result.status == 0, "\(result.errors)")
        struct Verbose: Decodable {
          var text: String
          var duration: Double
          var language: String
          var segments: [Part]
          var words: [Part]
        }
        struct Answers: Decodable {
          struct Alternatives: Decodable {
            struct One: Decodable { var text: String }
            var alternatives: [One]
          }
          var models: [String]
          var model: String
          var json: String
          var text: String
          var srt: String
          var unstreamed: String
          var vtt: String
          var diarized: String
          var speakers: [String]
          var verbose: Verbose
          var words: Verbose
          var streamed: [String]
          var alternatives: [Alternatives]
          var refusals: [[String?]?]
          var model_name: String
          var ignored: String
          var translation: String
        }
        let answers = try JSONDecoder().decode(Answers.self, from: Data(result.output.utf8))
        let printed = try await LonghandProcess.run("transcribe", "--format", "json", Recordings.short)
        let document = try JSONDecoder().decode(
          Longhand.TranscriptDocument.self, from: Data(printed.output.utf8))
        let text = document.formatted
        // Without marks and capitals, the words.
        func words(_ text: String) -> [String] {
          text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
        }
        #expect(words(text) == words(document.text))
        #expect(answers.models.prefix(2) == ["longhand", "whisper-1"])
        #expect(answers.model == "longhand")
        #expect(answers.json == text)
        #expect(answers.verbose.text == text)
        #expect(answers.words.text == text)
        #expect(answers.text == text + "\n")
        // The stream does not know the voice, so that some of its marks may be others.
        #expect(answers.streamed.count == 2)
        #expect(answers.streamed.first == answers.streamed.last)
        #expect(answers.streamed.map(words) == [words(text), words(text)])
        #expect(answers.streamed.first?.last == ".")
        let srt = try await LonghandProcess.run("transcribe", "--srt", Recordings.short).output
        let vtt = try await LonghandProcess.run("transcribe", "--vtt", Recordings.short).output
        let seconds = try Recordings.seconds(of: Recordings.short)
        #expect(answers.srt == srt)
        #expect(answers.unstreamed == srt)
        #expect(answers.vtt == vtt)
        #expect(words(answers.diarized) == words(text))
        #expect(answers.speakers == ["Speaker 1"])
        #expect(abs(answers.verbose.duration - seconds) < 0.01)
        #expect(answers.verbose.language == "english")
        #expect(answers.verbose.words.isEmpty)
        #expect(answers.verbose.segments.map(\.text).joined(separator: " ") == text)
        #expect(answers.words.segments.isEmpty)
        #expect(answers.words.words.map(\.text).joined(separator: " ") == document.text)
        #expect(answers.words.words.allSatisfy { $0.end > $0.start })
        #expect(answers.alternatives.first?.alternatives.first?.text == document.segments.first?.text)
        #expect((answers.alternatives.first?.alternatives.count ?? 0) > 1)
        let parameters = ["response_format", "language"]
        #expect(answers.refusals.prefix(2).map { $0?[0] } == parameters.map { _ in "BadRequestError" })
        #expect(answers.refusals.prefix(2).map { $0?[1] } == parameters)
        #expect(answers.model_name == TestedRecognizer.current.model)
        #expect(answers.ignored.components(separatedBy: ", ").sorted() == ["include", "temperature"])
        #expect(answers.translation == "not_installed")
        #expect(answers.refusals.suffix(2).allSatisfy { $0 == ["BadRequestError", "file"] })
        // One worker for all of it.
        #expect(server.children.count == 1)
      }

      /// A response in which text is missing has the failed seconds, streamed or not.
      @Test(.recognizer(.pocketSphinx)) func failedSecondsAreReported() async throws {
        try Recordings.repeated(seconds: isSoak ? 60 : 25, to: folder.path("talk.wav"))
        let file = try Data(contentsOf: folder.url.appendingPathComponent("talk.wav"))
        let faulty = try await ServeProcess(
          in: folder, environment: LonghandProcess.faultyService(pieces: "1"))
        for format in Self.formats {
          let answer = try ask(faulty, file, ["response_format": format])
          #expect(answer.status == 200, "\(format)")
          let failed = answer.headers["x-longhand-failed-seconds"].flatMap(Double.init) ?? 0
          #expect(failed > 0, "\(format)")
          guard format.hasSuffix("json") else { continue }
          #expect(answer.json["failed_seconds"] as? Double == failed, "\(format)")
        }
        let streamed = try ask(faulty, file, ["stream": "true"])
        #expect(streamed.text.contains("\"failed_seconds\": "))
        #expect(try await faulty.stop().status == 130)
        let sound = try await ServeProcess(in: folder)
        let whole = try ask(sound, file, [:])
        #expect(whole.json["failed_seconds"] == nil)
        #expect(whole.headers["x-longhand-failed-seconds"] == nil)
      }

      /// A recording of which nothing was recognized does not look like one without speech.
      @Test(.recognizer(.pocketSphinx)) func failureOnAllOfTheSpeechIsAnError() async throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: Recordings.short))
        let faulty = try await ServeProcess(
          in: folder, environment: LonghandProcess.faultyService(pieces: "0,1,2,3,4,5,6,7"))
        for format in Self.formats {
          let answer = try ask(faulty, file, ["response_format": format])
          #expect(answer.status == 500, "\(format)")
          #expect(answer.code == "incomplete", "\(format)")
        }
        #expect(try ask(faulty, file, ["stream": "true"]).code == "incomplete")
        #expect(try await faulty.stop().status == 130)
      }

      private static let formats = ["json", "verbose_json", "diarized_json", "text", "srt", "vtt"]

      private func ask(
        _ server: ServeProcess, _ file: Data, _ fields: [String: String],
        at path: String = "/v1/audio/transcriptions"
      ) throws -> HTTPConnection.Response {
        let form = ServeProcess.form(file, fields.merging(["model": "longhand"]) { $1 })
        return try HTTPConnection.ask(
          server.port, "POST", path, server.signedIn.merging(["Content-Type": form.type]) { $1 },
          body: form.body)
      }

      /// When a client goes away, its transcription ends, streamed or not.
      @Test func transcriptionEndsWithItsClient() async throws {
        let server = try await ServeProcess(in: folder)
        try Recordings.repeated(seconds: 1200, to: folder.path("long.wav"))
        let file = try Data(contentsOf: folder.url.appendingPathComponent("long.wav"))
        let before = server.descriptors
        for fields in [["model": "longhand"], ["model": "longhand", "stream": "true"]] {
          let form = ServeProcess.form(file, fields)
          var client: HTTPConnection? = try HTTPConnection(port: server.port)
          try client?.send(
            "POST", "/v1/audio/transcriptions", server.signedIn.merging(["Content-Type": form.type]) { $1 },
            body: form.body, port: server.port)
          #expect(await eventually { !server.children.isEmpty })
          if fields["stream"] != nil {
            // The first segment is sent while the rest is being transcribed.
            #expect(try client?.head().status == 200)
            #expect(try client?.event()?.json["type"] as? String == "transcript.text.delta")
            #expect(!server.children.isEmpty)
          }
          client = nil
          #expect(await eventually { server.children.isEmpty })
        }
        // The upload had no name, and is deleted.
        #expect(await eventually { server.descriptors <= before })
      }
    }
  }

  /// A word or a segment with its times.
  private struct Part: Decodable {
    var start: Double
    var end: Double
    var text: String

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      start = try values.decode(Double.self)
      end = try values.decode(Double.self)
      text = try values.decode(String.self)
    }
  }

  extension ServeProcess {
    func ask(_ target: String, _ headers: [String: String] = [:]) throws -> HTTPConnection.Response {
      try ask("GET", target, headers)
    }
  }
#endif
