import Foundation
import Testing

/// The recognizer that a suite or a test means, which is the only place where it is said:
/// `@Suite(.recognizer(.pocketSphinx))`. Without it, it is the one that people get: Whisper, with its smallest model.
///
/// Whisper is for what a text looks like; PocketSphinx for what it alone does (word times, terms, language models of
/// domains, speech without Whisper's weights) and for live text at its pace. Where only behaviour matters, a scripted
/// recognizer takes no processor time: `ToneRecognizer`, `SpeechScript`.
package enum TestedRecognizer: String, Sendable, Hashable {
  case whisper = "whisper-tiny-en"
  case pocketSphinx = "pocketsphinx"

  /// The one that the running test means.
  @TaskLocal package static var current = TestedRecognizer.whisper

  /// The name of its model.
  package var model: String { rawValue }

  /// The variables by which a program of this package uses it and no other. Nothing names Whisper: it is the best that is
  /// installed, as people have it.
  package var variables: [String: String] {
    switch self {
    case .whisper: ["SPEECH_MODEL": "", "SPEECH_SYSTEM_MODEL_PATH": Self.models]
    case .pocketSphinx: ["SPEECH_MODEL": model]
    }
  }

  /// A folder of models with the smallest of Whisper alone.
  private static let models: String = {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let folder = bundle.deletingLastPathComponent().appendingPathComponent("tested-models")
    let prefix = ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local"
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Another process of the tests may have made it.
    try? FileManager.default.createSymbolicLink(
      atPath: folder.appendingPathComponent(whisper.model).path,
      withDestinationPath: "\(prefix)/share/longhand/models/\(whisper.model)")
    return folder.path
  }()
}

/// Makes tests mean a recognizer.
package struct RecognizerTrait: SuiteTrait, TestTrait, TestScoping {
  let recognizer: TestedRecognizer
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // Outside of a suite's own scope, a test may mean another one than its suite.
    try await TestedRecognizer.$current.withValue(recognizer, operation: function)
  }
}

extension Trait where Self == RecognizerTrait {
  /// The recognizer that the tests mean.
  package static func recognizer(_ recognizer: TestedRecognizer) -> Self { Self(recognizer: recognizer) }
}
