#if os(Linux)
  import Foundation
  import Longhand
  import ScriptedSpeech
  import TestSupport
  import Testing

  /// A recognizer that is not of this package: one row of the table, one program, and a model that names it.
  @Suite(.tagged(.childProcess)) struct ThirdRecognizerTests {
    private static let words = [3, 11, 19, 4]

    private let folder: TemporaryFolder
    private let environment: [String: String]

    init() throws {
      folder = try TemporaryFolder()
      try ToneRecognizer.write(Self.words, to: folder.path("talk.wav"))
      environment = try ToneRecognizer.environment(in: folder)
    }

    private func run(
      _ arguments: String..., input: LonghandProcess.Input = .empty, more: [String: String] = [:]
    ) async throws -> LonghandProcess.Result {
      try await LonghandProcess(
        arguments, input: input, environment: environment.merging(more) { $1 }, in: folder.url
      ).result()
    }

    @Test func filesAreTranscribed() async throws {
      let result = try await run("transcribe", "--json", "talk.wav")
      #expect(result.status == 0, "\(result.errors)")
      let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
      #expect(document.segments.map(\.text).joined(separator: " ") == SpokenTones.text(of: Self.words))
      #expect(document.model?.name == "tones-model")
    }

    @Test func recordingsAreTranscribed() async throws {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("talk.wav")))
      let recorded = try await run("record", "--from", "-", "-q", input: .bytes(data))
      #expect(recorded.status == 0, "\(recorded.errors)")
      let result = try await run("export", "last", "--json")
      let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(result.output.utf8))
      #expect(document.segments.map(\.text).joined(separator: " ") == SpokenTones.text(of: Self.words))
      #expect(document.model?.name == "tones-model")
    }

    @Test func doctorAndListNameIt() async throws {
      let doctor = try await run("doctor")
      #expect(doctor.output.contains("scripted 1"), "\(doctor.output)")
      let list = try await run("models", "list")
      #expect(list.output.contains("tones-model"), "\(list.output)")
      #expect(!list.output.contains("cannot be used"), "\(list.output)")
      let without = try await run("models", "list", more: ["TONES_SERVICE_PATH": "/nonexistent"])
      #expect(
        without.output.contains("its program scripted-speech-service was not found"), "\(without.output)")
    }

    @Test func modelOfAnUnknownRecognizerIsNotUsed() async throws {
      let result = try await run(
        "transcribe", "--model", "tones-model", "talk.wav", more: ["SPEECH_RECOGNIZERS": ""])
      #expect(result.status != 0)
      #expect(result.errors.contains("unknown recognizer 'tones'"), "\(result.errors)")
    }
  }
#endif
