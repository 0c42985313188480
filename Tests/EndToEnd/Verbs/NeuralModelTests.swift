#if os(Linux)
  import Foundation
  import Longhand
  import TestSupport
  import Testing

  /// Everything that recognizes speech, with the toy models. They know twenty words.
  @Suite(.tagged(.childProcess)) struct NeuralModelTests {
    private static let names = ["toy-tdt", "toy-ctc", "toy-streaming-ctc"]
    private static let pauses = ToyModel.models.appendingPathComponent("recordings/pauses.wav").path
    /// What is said in `pauses`.
    private static let spoken = (try? ToyRecording.all("pauses"))?.first?.text ?? ""
    private let folder: TemporaryFolder

    init() async throws {
      folder = try TemporaryFolder()
      for name in Self.names {
        let result = try await run("models", "import", ToyModel.models.path + "/" + name, "--language", "en")
        try #require(result.status == 0, "\(result.errors)")
      }
    }

    private func environment(_ more: [String: String] = [:]) -> [String: String] {
      let own = [
        "XDG_DATA_HOME": folder.path("data"), "LONGHAND_LIBRARY": folder.path("library"), "SPEECH_MODEL": "",
        "SPEECH_SYSTEM_MODEL_PATH": folder.path("none"),
      ]
      return own.merging(more) { $1 }
    }

    private func run(
      _ arguments: String..., input: LonghandProcess.Input = .empty, more: [String: String] = [:]
    ) async throws -> LonghandProcess.Result {
      try await LonghandProcess(arguments, input: input, environment: environment(more)).result()
    }

    private static func errorRate(_ text: String) -> Double {
      let normalizer = TextNormalizer()
      return WordErrorRate(
        reference: normalizer.words(in: spoken), hypothesis: normalizer.words(in: text)
      ).rate
    }

    @Test(arguments: names, ["analyzer", "rolling"])
    func bothInterfacesRecognizeByTheModel(_ model: String, _ engine: String) async throws {
      let result = try await run("transcribe", "--model", model, "--engine", engine, "--json", Self.pauses)
      #expect(result.status == 0, "\(result.errors)")
      let transcript = try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
      #expect(Self.errorRate(transcript.segments.map(\.text).joined(separator: " ")) < 0.35)
      #expect(result.output.contains(#""model": {"name": "\#(model)", "sha256": ""#))
      #expect(result.output.contains(#""confidence": null"#) == (model != "toy-tdt"))
      #expect(abs(transcript.coverage.sum - transcript.duration) < 0.002)
    }

    @Test(arguments: names) func recordingsHaveTheTextOfTheFile(_ model: String) async throws {
      let transcribed = try await run("transcribe", "--model", model, Self.pauses)
      let imported = try await run("import", "--model", model, Self.pauses)
      #expect(imported.status == 0, "\(imported.errors)")
      #expect(try await run("show", "last").output.contains(model) == false)
      let shown = try await run("export", "last")
      #expect(shown.output == transcribed.output)
      let data = try Data(contentsOf: URL(fileURLWithPath: Self.pauses))
      let recorded = try await run("record", "--from", "-", "-q", "--model", model, input: .bytes(data))
      #expect(recorded.status == 0, "\(recorded.errors)")
      let live = try await run("export", "last")
      #expect(Self.errorRate(live.output) < 0.35)
    }

    @Test(arguments: names) func serverRecognizesByTheModel(_ model: String) async throws {
      let imported = try await run("import", "--model", model, Self.pauses)
      try #require(imported.status == 0, "\(imported.errors)")
      let server = try await ServeProcess(["--model", model], in: folder, environment: environment())
      let form = ServeProcess.form(try Data(contentsOf: URL(fileURLWithPath: Self.pauses)))
      let answer = try HTTPConnection.ask(
        server.port, "POST", "/v1/audio/transcriptions",
        server.signedIn.merging(["Content-Type": form.type]) { $1 }, body: form.body)
      #expect(answer.status == 200)
      #expect(Self.errorRate(try #require(answer.json["text"] as? String)) < 0.35)
      let sessions = try #require(try server.ask("/api/sessions").json["sessions"] as? [[String: Any]])
      let id = try #require(sessions.first?["id"] as? String)
      let used = try server.ask("/api/sessions/\(id)").json["model"] as? [String: Any]
      #expect(used?["name"] as? String == model)
      #expect(try await server.stop().status == 130)
    }

    /// A model that dies, hangs or babbles costs time, and no words.
    @Test(arguments: ["die", "hang", "nonsense"]) func faultsOfTheModelCostNoWords(_ way: String) async throws
    {
      let undisturbed = try await run("transcribe", "--model", "toy-tdt", "--json", Self.pauses)
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("marks"), withIntermediateDirectories: true)
      let products = LonghandProcess.products
      let disturbed = try await run(
        "transcribe", "--model", "toy-tdt", "--json", Self.pauses,
        more: [
          "NEURAL_SPEECH_SERVICE_PATH": products.appendingPathComponent("scripted-speech-service").path,
          "SPEECH_FAULTY_SERVICE": products.appendingPathComponent("sherpa-service").path,
          "SPEECH_FAULTY_UTTERANCES": "1,3", "SPEECH_FAULTY_MARKS": folder.path("marks"),
          "SPEECH_FAULTY_WAY": way,
          "SPEECH_SERVICE_PATIENCE": "5",
        ])
      #expect(disturbed.status == 0, "\(disturbed.errors)")
      #expect(disturbed.output == undisturbed.output)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("marks")).count == 2)
    }

    /// A network that is stuck, or skips a sentence: the words are not taken, and the embedded recognizer tries.
    @Test(
      arguments: isSoak
        ? [("loop", "analyzer"), ("loop", "rolling"), ("silence", "analyzer"), ("silence", "rolling")]
        : [("loop", "analyzer"), ("silence", "rolling")])
    func wordsOfAStuckNetworkAreNotTaken(_ way: String, _ engine: String) async throws {
      let products = LonghandProcess.products
      let result = try await run(
        "transcribe", "--model", "toy-tdt", "--engine", engine, "--json", Self.pauses,
        more: [
          "NEURAL_SPEECH_SERVICE_PATH": products.appendingPathComponent("scripted-speech-service").path,
          "SPEECH_FAULTY_SERVICE": products.appendingPathComponent("sherpa-service").path,
          "SPEECH_FAULTY_UTTERANCES": "0,1,2,3", "SPEECH_FAULTY_WAY": way,
        ])
      #expect(result.status == 0, "\(result.errors)")
      let transcript = try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
      #expect(!transcript.segments.contains { $0.text.contains("in in") })
      if way == "loop", engine == "analyzer" { #expect(result.output.contains(#""rule": "loop""#)) }
      #expect(abs(transcript.coverage.sum - transcript.duration) < 0.002)
      // The older interface does not report where words come from.
      #expect(
        result.output.contains(#""source": "embedded""#) || transcript.coverage.wordless > 1
          || engine == "rolling")
    }

    @Test func missingModelsAreNamed() async throws {
      let unknown = try await run("transcribe", "--model", "toy-tdd", Self.pauses)
      #expect(unknown.status == 2 || unknown.status == 1)
      #expect(unknown.errors.contains("toy-tdd"))
      #expect(unknown.errors.contains("toy-tdt"))
      let language = try await run("transcribe", "--model", "toy-tdt", "--locale", "de-DE", Self.pauses)
      #expect(language.status != 0)
      #expect(language.errors.contains("de-DE"))
    }

    @Test func vocabularySaysWhatItDoesNotDo() async throws {
      try folder.write(#"{name: "n", terms: [{text: "tomorrow"}]}"#, to: "n.json5")
      let said = "cannot prefer words"
      let neural = try await run(
        "transcribe", "--model", "toy-ctc", "--vocabulary", folder.path("n.json5"), Recordings.short)
      #expect(neural.status == 0, "\(neural.errors)")
      #expect(neural.errors.contains("toy-ctc \(said)"))
      let embedded = try await run(
        "transcribe", "--model", "pocketsphinx", "--vocabulary", folder.path("n.json5"), Recordings.short)
      #expect(embedded.status == 0, "\(embedded.errors)")
      #expect(!embedded.errors.contains(said))
    }

    /// "tomorrow" is written as "two" unless it is expected.
    @Test(arguments: ["analyzer", "rolling"])
    func transducerWritesExpectedWords(_ engine: String) async throws {
      try folder.write(#"{name: "n", terms: [{text: "tomorrow"}]}"#, to: "n.json5")
      let file = ToyModel.models.appendingPathComponent("recordings/hotword-04.wav").path
      let plain = try await run("transcribe", "--model", "toy-tdt", "--engine", engine, file)
      #expect(!plain.output.lowercased().contains("tomorrow"))
      for option in [["--context", "zero six, tomorrow"], ["--vocabulary", folder.path("n.json5")]] {
        let arguments = ["transcribe", "--model", "toy-tdt", "--engine", engine, "--json"] + option + [file]
        let result = try await LonghandProcess(arguments, environment: environment()).result()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.isEmpty)
        let transcript = try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
        #expect(transcript.segments.contains { $0.text.contains("tomorrow") }, "\(option)")
        #expect(result.output.contains(#""biased""#) || engine == "rolling")
      }
    }

    /// Without `--model`, the best one that is installed recognizes; the embedded recognizer has a name too.
    @Test func installedModelIsTakenAndTheEmbeddedOneCanBeNamed() async throws {
      let best = try await run("transcribe", "--json", Recordings.short)
      #expect(best.output.contains(#""model": {"name": "toy-"#))
      let variable = try await run(
        "transcribe", "--json", Recordings.short, more: ["LONGHAND_MODEL": "toy-ctc"])
      #expect(variable.output.contains(#""model": {"name": "toy-ctc", "#))
      let embedded = try await run("transcribe", "--json", "--model", "pocketsphinx", Recordings.short)
      #expect(embedded.output.contains(#""model": {"name": "pocketsphinx", "sha256": null}"#))
    }

    /// Said on a terminal only; better models are named once, when the embedded recognizer is used.
    @Test func modelIsNamedOnATerminal() async throws {
      let variables = environment(["XDG_STATE_HOME": folder.path("state"), "TERM": "xterm"])
      func errors(_ arguments: String) async throws -> String {
        let line = "script -qec 'longhand transcribe \(arguments) -o \(folder.path("out.txt")) --force "
        return try await LonghandProcess.shell(
          line + "\(Recordings.short)' /dev/null", environment: variables
        )
        .output
      }
      let hint = "longhand models list"
      #expect(try await errors("--model toy-ctc").contains("Model: toy-ctc.\r\n"))
      #expect(try await errors("--model pocketsphinx").contains(hint))
      let again = try await errors("--model pocketsphinx")
      #expect(again.contains("Model: pocketsphinx.\r\n"))
      #expect(!again.contains(hint))
      #expect(try await !errors("--model pocketsphinx --quiet").contains("Model:"))
      #expect(folder.has("state/longhand/better-models-named"))
    }

    @Test func examplesRunUnchanged() async throws {
      for name in Self.names {
        let variables = environment(["SPEECH_MODEL": name])
        let words = try await LonghandProcess.shell(
          "FileRecognition '\(Self.pauses)'", environment: variables)
        #expect(words.status == 0, "\(words.errors)")
        // The lines of the words begin with a space.
        let texts = words.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
        #expect(Self.errorRate(texts.joined(separator: " ")) < 0.35)
        let live = try await LonghandProcess.shell(
          "LiveTranscription --fast '\(Self.pauses)'", environment: variables)
        #expect(live.status == 0, "\(live.errors)")
        #expect(live.output.contains("eight"))
      }
    }
  }
#endif
