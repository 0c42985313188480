#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Punctuation by a network that the user has installed, for what the toy recognizer writes without any.
  @Suite(.tagged(.childProcess)) struct PunctuationModelTests {
    private static let spoken = ToyModel.models.appendingPathComponent("recordings/pauses.wav").path
    private let folder: TemporaryFolder

    init() async throws {
      folder = try TemporaryFolder()
      try await run("models", "import", ToyModel.Kind.ctc.original.path, "--language", "en")
    }

    @discardableResult private func run(
      _ arguments: String..., input: LonghandProcess.Input = .empty
    ) async throws -> LonghandProcess.Result {
      let environment = [
        "LONGHAND_LIBRARY": folder.path("library"), "XDG_DATA_HOME": folder.path("data"), "SPEECH_MODEL": "",
        "SPEECH_SYSTEM_MODEL_PATH": folder.path("none"),
      ]
      let result = try await LonghandProcess(arguments, input: input, environment: environment).result()
      try #require(result.status == 0, "\(arguments): \(result.errors)")
      return result
    }

    private func install() async throws {
      try await run("models", "import", ToyModel.Kind.punctuation.original.path, "--name", "commas")
    }

    private struct Document: Decodable, Equatable {
      struct Stamp: Decodable, Equatable { var name: String, sha256: String? }
      struct Segment: Decodable, Equatable {
        struct Word: Decodable, Equatable { var text: String, display: String }
        var text: String
        var formatted: String
        var words: [Word]
      }
      struct Warning: Decodable, Equatable { var code: String }
      var model: Stamp?
      var punctuation: Stamp?
      var segments: [Segment]
      var warnings: [Warning]?
      var formatted: String { segments.map(\.formatted).joined(separator: " ") }
    }

    private func document(_ result: LonghandProcess.Result) throws -> Document {
      try JSONDecoder().decode(Document.self, from: Data(result.output.utf8))
    }

    /// The texts without what a layer adds.
    private func bare(_ document: Document) -> [String] {
      document.segments.map { $0.formatted.lowercased().filter { !".,?".contains($0) } }
    }

    @Test func installedModelWritesEverywhereAndIsNamed() async throws {
      let plain = try document(await run("transcribe", Self.spoken, "--json"))
      #expect(plain.punctuation == nil)
      #expect(try await run("doctor").output.contains("by rules where it writes none"))
      try await install()
      #expect(try await run("models", "list").output.contains("commas"))
      #expect(try await run("models", "verify", "commas").output == "commas: whole\n")
      let doctor = try await run("doctor").output
      let transcribed = try document(await run("transcribe", Self.spoken, "--json"))
      #expect(transcribed.punctuation?.name == "commas")
      #expect(transcribed.model?.name == "toy-ctc")
      let digest = try #require(transcribed.punctuation?.sha256)
      #expect(doctor.contains("by commas (SHA-256 \(digest)) for English"))
      #expect(transcribed.warnings == nil)
      // What only the model writes.
      #expect(transcribed.formatted.contains("NINE"))
      #expect(transcribed.formatted.contains("Yes, "))
      #expect(!plain.formatted.contains("NINE"))
      // The words are the recognizer's.
      #expect(transcribed.segments.map(\.text) == plain.segments.map(\.text))
      #expect(bare(transcribed) == plain.segments.map(\.text))
      let displays = transcribed.segments.map { $0.words.map(\.display).joined(separator: " ") }
      #expect(displays == transcribed.segments.map(\.formatted))
      let words = try await run("transcribe", Self.spoken, "--style", "words").output
      #expect(words == plain.segments.map { $0.text + "\n" }.joined())
      // In the library, live and from an archive too.
      try await run("import", Self.spoken)
      #expect(try document(await run("export", "last", "--json")) == transcribed)
      let text = try await run("transcribe", Self.spoken).output
      #expect(try await run("export", "last").output == text)
      let lines = try await run(
        "worker", input: .bytes(Data(#"{"id": "a", "path": "\#(Self.spoken)"}"#.utf8 + [10]))
      ).output
      try folder.write(lines, to: "lines.jsonl")
      try await run("import", "--transcripts", folder.path("lines.jsonl"))
      #expect(try document(await run("export", "last", "--json")) == transcribed)
    }

    @Test func recordedTextIsWhatWasPrinted() async throws {
      try await install()
      let data = try Data(contentsOf: URL(fileURLWithPath: Self.spoken))
      let printed = try await run("record", "--from", "-", "-q", input: .bytes(data)).output
      let stored = try document(await run("export", "last", "--json"))
      #expect(stored.punctuation?.name == "commas")
      #expect(printed.contains("NINE"))
      func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
      #expect(words(printed) == words(stored.formatted))
    }

    @Test func olderRecordingsGetPunctuationAgainAndLoseIt() async throws {
      try await run("import", Self.spoken)
      let plain = try document(await run("export", "last", "--json"))
      try await install()
      try await run("retranscribe", "last")
      let written = try document(await run("export", "last", "--json"))
      #expect(written.punctuation?.name == "commas")
      #expect(written.formatted.contains("NINE"))
      #expect(written.segments.map(\.text) == plain.segments.map(\.text))
      try await run("models", "remove", "commas", "--yes")
      // What is stored stays, until it is transcribed again.
      #expect(try document(await run("export", "last", "--json")) == written)
      try await run("retranscribe", "last")
      #expect(try document(await run("export", "last", "--json")) == plain)
    }

    @Test func modelThatFailsIsReportedOnceAndRulesWrite() async throws {
      let plain = try document(await run("transcribe", Self.spoken, "--json"))
      try await install()
      // Of the same size, so that only the library finds it.
      let file = URL(fileURLWithPath: folder.path("data/speech-service/models/commas/model.onnx"))
      var data = try Data(contentsOf: file)
      data.replaceSubrange(500..<data.count - 3000, with: Data(repeating: 1, count: data.count - 3500))
      try data.write(to: file)
      let result = try await run("transcribe", Self.spoken, "--json")
      let document = try document(result)
      #expect(document.warnings?.map(\.code) == ["punctuation-model-failed"])
      #expect(document.segments == plain.segments)
      #expect(document.punctuation == nil)
      #expect(result.errors.components(separatedBy: "The punctuation model failed").count == 2)
      try await run("import", Self.spoken)
      let stored = try self.document(await run("export", "last", "--json"))
      #expect(stored.warnings?.map(\.code) == ["punctuation-model-failed"])
      #expect(stored.segments == plain.segments)
      #expect(try await run("doctor").output.contains("type: longhand models remove commas"))
    }
  }
#endif
