import Foundation
import TestSupport
import Testing

extension StoredSessionTests {
  /// Voices separated by networks that the user has installed.
  @Suite struct SpeakerModelTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] {
      // Without the networks that are installed for all users.
      [
        "LONGHAND_LIBRARY": folder.path("library"), "XDG_DATA_HOME": folder.path("data"),
        "SPEECH_SYSTEM_MODEL_PATH": folder.path("none"),
      ]
    }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws -> LonghandProcess.Result {
      try await LonghandProcess(arguments, environment: environment, in: folder.url).result()
    }

    private struct Document: Decodable {
      struct Speaker: Decodable { var id: String, basis: String, engine: String? }
      struct Warning: Decodable { var code: String }
      struct Segment: Decodable { var speaker: String?, speakerConfidence: Double? }
      var segments: [Segment]
      var speakers: [Speaker]?
      var text: String
      var warnings: [Warning]?
    }

    private func document(_ result: LonghandProcess.Result) throws -> Document {
      try #require(result.status == 0, "\(result.errors)")
      return try JSONDecoder().decode(Document.self, from: Data(result.output.utf8))
    }

    @Test func installedModelIsUsedAndNamed() async throws {
      let plain = try document(await run("transcribe", Recordings.short, "--json"))
      let embedded = try document(await run("transcribe", Recordings.short, "--json", "--speakers", "auto"))
      #expect(embedded.speakers?.map(\.engine) == ["embedded"])
      #expect(embedded.warnings?.map(\.code) == ["speaker-model-missing", "one-voice"])
      #expect(embedded.segments.allSatisfy { $0.speaker != nil && $0.speakerConfidence == nil })
      #expect(try await run("doctor").output.contains("the model 'speakers' is not installed"))
      let toy = ToyModel.Kind.speakers.original.path
      try #require(await run("models", "import", toy, "--name", "voices").status == 0)
      #expect(try await run("models", "list").output.contains("voices"))
      #expect(try await run("doctor").output.contains("by the networks of voices, verified"))
      let refused = try await run("transcribe", Recordings.short, "--model", "voices")
      #expect(refused.status != 0)
      let neural = try document(await run("transcribe", Recordings.short, "--json", "--speakers", "auto"))
      #expect(neural.speakers?.isEmpty == false)
      #expect(neural.speakers?.allSatisfy { $0.engine == "sherpa-onnx" && $0.basis == "voice" } == true)
      #expect(neural.warnings == nil)
      #expect(neural.text == plain.text)
      // In the library too.
      try #require(await run("import", Recordings.short, "--speakers", "1").status == 0)
      let stored = try document(await run("export", "last", "--json"))
      #expect(stored.speakers?.map(\.engine) == ["sherpa-onnx"])
    }

    @Test func modelThatFailsIsReportedAndReplaced() async throws {
      let toy = ToyModel.Kind.speakers.original.path
      try #require(await run("models", "import", toy, "--name", "voices").status == 0)
      // Of the same size, so that only the library finds it.
      let file = URL(
        fileURLWithPath: folder.path("data/speech-service/models/voices/embedding.onnx"))
      var data = try Data(contentsOf: file)
      data.replaceSubrange(500..<data.count - 2000, with: Data(repeating: 1, count: data.count - 2500))
      try data.write(to: file)
      #expect(try await run("doctor").output.contains("The SHA-256 of the file embedding.onnx differs"))
      let document = try document(await run("transcribe", Recordings.short, "--json", "--speakers", "auto"))
      #expect(document.speakers?.map(\.engine) == ["embedded"])
      #expect(document.warnings?.map(\.code) == ["speaker-model-failed", "one-voice"])
      try #require(await run("import", Recordings.short, "--speakers", "auto").status == 0)
      let stored = try self.document(await run("export", "last", "--json"))
      #expect(stored.warnings?.map(\.code) == ["speaker-model-failed", "one-voice"])
      try #require(await run("models", "remove", "voices", "--yes").status == 0)
      let again = try await run("speakers", "last", "--speakers", "1")
      #expect(again.status == 0)
      #expect(again.errors.contains("Warning: The model 'speakers' is missing"))
      #expect(
        try self.document(await run("export", "last", "--json")).warnings?.map(\.code)
          == ["speaker-model-missing"])
    }
  }
}
