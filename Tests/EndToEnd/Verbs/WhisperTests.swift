#if os(Linux)
  import Foundation
  import Longhand
  import TestSupport
  import Testing

  /// Runs the program with a library and models of a test's own.
  struct WhisperRun {
    static let model = "whisper-tiny-en"
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var environment: [String: String] {
      [
        "XDG_DATA_HOME": folder.path("data"), "LONGHAND_LIBRARY": folder.path("library"),
        "SPEECH_SYSTEM_MODEL_PATH": "", "SPEECH_MODEL": Self.model,
      ]
    }

    /// Starts the program.
    func process(_ arguments: [String], more: [String: String]) throws -> LonghandProcess {
      try LonghandProcess(arguments, environment: environment.merging(more) { $1 })
    }

    func callAsFunction(
      _ arguments: String..., input: LonghandProcess.Input = .empty, more: [String: String] = [:]
    ) async throws -> LonghandProcess.Result { try await self(arguments, input: input, more: more) }

    func callAsFunction(
      _ arguments: [String], input: LonghandProcess.Input = .empty, more: [String: String] = [:]
    ) async throws -> LonghandProcess.Result {
      try await LonghandProcess(arguments, input: input, environment: environment.merging(more) { $1 })
        .result(within: .seconds(300))
    }
  }

  /// The promises with real weights: the small English model that `make setup` installs.
  @Suite(.tagged(.recognizer, .childProcess)) struct WhisperTests {
    private let run: WhisperRun
    private var folder: TemporaryFolder { run.folder }

    init() throws { run = try WhisperRun() }

    @Test func recordingIsPublishableText() async throws {
      let result = try await run("transcribe", "--json", Recordings.long)
      #expect(result.status == 0, "\(result.errors)")
      let transcript = try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
      let text = transcript.segments.map(\.text).joined(separator: " ")
      #expect(try Recordings.errorRate(text, of: Recordings.long) < 0.1, "\(text)")
      #expect(text.first?.isUppercase == true, "\(text)")
      #expect(text.hasSuffix("."), "\(text)")
      #expect(result.output.contains(#""name": "\#(WhisperRun.model)""#))
      #expect(abs(transcript.coverage.sum - transcript.duration) < 0.002)
    }

    /// Phrases beyond the limit would be left out without a word.
    @Test func morePhrasesThanTheRecognizerTakesAreRefused() async throws {
      let phrases = (0...1000).map { "term\($0)" }.joined(separator: ",")
      let result = try await run("transcribe", "--context", phrases, Recordings.short)
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("There are 1001 phrases, and at most 1000 phrases can be expected"))
    }

    @Test func wordsLieInTheirSegmentsInOrder() async throws {
      let result = try await run("transcribe", "--json", "--word-timestamps", Recordings.long)
      let transcript = try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
      var end = 0.0
      for segment in transcript.segments {
        for word in segment.words {
          #expect(word.start >= segment.start)
          #expect(word.end <= segment.end)
          #expect(word.start >= end)
          #expect(word.end >= word.start)
          end = word.end
        }
      }
      #expect(transcript.segments.flatMap(\.words).count > 10)
    }

    /// A recording of several windows.
    private func writeTalk() throws -> String {
      try Recordings.repeated(seconds: isSoak ? 300 : 40, to: folder.path("talk.wav"))
      return folder.path("talk.wav")
    }

    @Test func textDoesNotDependOnTheNumberOfServices() async throws {
      let talk = try writeTalk()
      let one = try await run("transcribe", "--json", talk, more: ["SPEECH_SERVICE_COUNT": "1"])
      let two = try await run("transcribe", "--json", talk, more: ["SPEECH_SERVICE_COUNT": "2"])
      #expect(one.status == 0, "\(one.errors)")
      #expect(one.output == two.output)
    }

    @Test func importHasTheSameTextAfterAKill() async throws {
      let talk = try writeTalk()
      let expected = try await run("import", talk)
      #expect(expected.status == 0, "\(expected.errors)")
      let text = try await run("export", "last", "--format", "ctm").output
      #expect(text.split(separator: "\n").count > 50)
      _ = try await run("delete", "last", "--yes")
      let process = try run.process(["import", talk], more: ["SPEECH_SERVICE_COUNT": "1"])
      // Some segments are stored, and others are not.
      while process.isRunning, try await run("export", "last").output.isEmpty {
        try await Task.sleep(for: .milliseconds(100))
      }
      process.send(SIGKILL)
      #expect(try await process.result().status == 128 + SIGKILL)
      let recovered = try await run("recover")
      #expect(recovered.status == 0, "\(recovered.errors)")
      #expect(try await run("export", "last", "--format", "ctm").output == text)
    }

    @Test(arguments: ["silence", "noise", "tone"]) func nothingIsInvented(_ kind: String) async throws {
      var state: UInt32 = 7
      let samples = (0..<(isSoak ? 600 : 20) * 16_000).map { index -> Int16 in
        state = state &* 1_664_525 &+ 1_013_904_223
        let noise = Double(Int32(bitPattern: state) >> 16)
        return switch kind {
        case "silence": 0
        case "noise": Int16(noise / 8)
        default: Int16(8000 * sin(Double(index) * 440 * 2 * .pi / 16_000) * (index / 8000 % 2 == 0 ? 1 : 0.2))
        }
      }
      try Recordings.write(samples.withUnsafeBytes { Data($0) }, to: folder.path("\(kind).wav"))
      let result = try await run("transcribe", folder.path("\(kind).wav"))
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "")
    }

    /// A person whose words are 36 dB quieter than those before; alone in a file they are understood.
    @Test func aQuietPartnerIsTranscribed() async throws {
      let loud = try Recordings.samples(of: Recordings.short)
      let quiet = try Recordings.samples(of: Recordings.paths[4]).withUnsafeBytes { bytes in
        bytes.bindMemory(to: Int16.self).map { Int16(Double($0) / 64) }
      }
      let pause = Data(count: 48_000)
      let talk = pause + loud + pause + quiet.withUnsafeBytes { Data($0) } + pause + loud + pause
      try Recordings.write(talk, to: folder.path("talk.wav"))
      let result = try await run("transcribe", folder.path("talk.wav"))
      #expect(result.status == 0, "\(result.errors)")
      let said = try Recordings.reference(of: Recordings.paths[4])
      #expect(result.output.lowercased().contains(said), "\(result.output)")
    }

    /// The reading of the custom language model takes the place of Whisper's where the domain is spoken.
    @Test func vocabularyOfADomainIsRecognized() async throws {
      let sentence = "the winawer variation"
      try folder.write(
        #"{name: "chess", terms: [{text: "Winawer", pronunciations: ["w I n aU @r"]}], "#
          + #"phrases: [{text: "play the Winawer variation", count: 50}]}"#, to: "chess.json5")
      let line = "flite -voice rms -t 'play \(sentence)' '\(folder.path("chess.wav"))'"
      try #require(try await LonghandProcess.shell(line).status == 0)
      let result = try await run(
        "transcribe", "--json", "--vocabulary", folder.path("chess.json5"), folder.path("chess.wav"))
      #expect(result.status == 0, "\(result.errors)")
      let transcript = try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
      let text = transcript.segments.map(\.text).joined(separator: " ").lowercased()
      #expect(text.contains(sentence), "\(text)")
      #expect(result.output.contains(#""source": "domain""#))
    }

    @Test func serverHasTheTextOfTheCommand() async throws {
      let text = try await run("transcribe", Recordings.short).output
      let server = try await ServeProcess([], in: folder, environment: run.environment)
      let form = ServeProcess.form(try Data(contentsOf: URL(fileURLWithPath: Recordings.short)))
      let answer = try HTTPConnection.ask(
        server.port, "POST", "/v1/audio/transcriptions",
        server.signedIn.merging(["Content-Type": form.type]) { $1 }, body: form.body)
      #expect(answer.status == 200)
      let answered = try #require(answer.json["text"] as? String)
      #expect(answered.split(whereSeparator: \.isWhitespace) == text.split(whereSeparator: \.isWhitespace))
      #expect(try await server.stop().status == 130)
    }
  }
#endif
