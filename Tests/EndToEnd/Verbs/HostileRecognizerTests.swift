import Foundation
import ScriptedSpeech
import TestSupport
import Testing

/// The program with a recognizer that answers what no recognizer may answer. `make soak` gives it every answer, and
/// `HostileServiceTests` do so without the program.
@Suite(.serialized, .tagged(.childProcess), .recognizer(.pocketSphinx)) struct HostileRecognizerTests {
  enum Verb: String, CaseIterable { case transcribe, `import`, record }

  private static let answers =
    isSoak ? HostileAnswer.allCases : [.backwardWord, .stallInPayload, .controlCharactersInErrors]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func environment(_ answer: HostileAnswer, patience: Double) -> [String: String] {
    [
      "SPEECH_SERVICE_PATH": LonghandProcess.products.appendingPathComponent("scripted-speech-service").path,
      HostileAnswer.variable: answer.rawValue, "SPEECH_SERVICE_PATIENCE": "\(patience)",
      "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  private func run(_ verb: Verb, _ environment: [String: String]) async throws -> LonghandProcess.Result {
    let library = folder.path("library")
    let (arguments, input): ([String], LonghandProcess.Input) =
      switch verb {
      case .transcribe: (["transcribe", "--format", "json", Recordings.long], .empty)
      case .import: (["import", "--library", library, Recordings.long], .empty)
      case .record:
        (
          ["record", "--library", library, "--from", "-", "--format", "jsonl"],
          .bytes(try Data(contentsOf: URL(fileURLWithPath: Recordings.long)))
        )
      }
    let process = try LonghandProcess(arguments, input: input, environment: environment)
    return try await process.result(within: .seconds(60))
  }

  @Test(arguments: answers, Verb.allCases)
  func aHostileRecognizerCostsNoAudio(_ answer: HostileAnswer, _ verb: Verb) async throws {
    let environment = environment(answer, patience: isSoak ? 2 : 0.3)
    let start = ContinuousClock.now
    let result = try await run(verb, environment)
    let duration = ContinuousClock.now - start
    print("hostile recognizer: \(answer) \(verb) status \(result.status) after \(duration)")
    // 128 and more are signals.
    #expect([0, 1].contains(result.status), "\(result.errors)")
    #expect(duration < .seconds(30))
    #expect(!(result.output + result.errors).hasControlCharacters)
    if verb == .record {
      #expect(folder.recordedSamples == (try Recordings.samples(of: Recordings.long)))
    }
    var document = result.output
    if verb != .transcribe {
      // Without a recognizer an import leaves nothing; a recording stays.
      let export = try await LonghandProcess.run(
        "export", "--library", folder.path("library"), "last", "--format", "json")
      guard verb == .record || export.status == 0 else { return }
      #expect(export.status == 0, "\(export.errors)")
      document = export.output
    }
    guard !document.isEmpty else { return }
    let transcript = try JSONDecoder().decode(TranscriptDocument.self, from: Data(document.utf8))
    #expect(abs(transcript.coverage.sum - transcript.duration) < 0.01)
    for words in transcript.segments.map(\.words) {
      #expect(words.allSatisfy { 0 <= $0.start && $0.start <= $0.end && $0.end <= transcript.duration })
      #expect(zip(words, words.dropFirst()).allSatisfy { $0.start <= $1.start })
    }
  }

  /// With the patience that users have.
  @Test(.tagged(.soak)) func aSilentRecognizerCostsAboutAMinute() async throws {
    var environment = environment(.silence, patience: 0)
    environment["SPEECH_SERVICE_PATIENCE"] = ""
    let start = ContinuousClock.now
    let process = try LonghandProcess(["transcribe", Recordings.long], environment: environment)
    let result = try await process.result(within: .seconds(300))
    #expect(result.status == 1)
    // The minute that a model may take to load, twice.
    #expect(ContinuousClock.now - start < .seconds(150))
  }

  @Test(arguments: Verb.allCases) func aMissingModelIsNamed(_ verb: Verb) async throws {
    let model = ["SPEECH_MODEL_PATH": folder.path("none")]
    let result = try await run(verb, model)
    #expect(result.status == 1)
    #expect(result.errors.contains("model for en-US is not installed"))
    #expect(result.errors.contains("Run 'make setup build' to install it"))
    #expect(!result.errors.contains("notInstalled("))
  }
}

extension String {
  /// Whether there are control characters other than line ends and tabs.
  fileprivate var hasControlCharacters: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" }
  }
}
