import Foundation
import Speech

/// Hears chess commands with a language model of its own.
final class ChessListener {
  private let recognizer: SFSpeechRecognizer
  private let configuration: SFSpeechLanguageModel.Configuration

  enum ListenerError: Error { case unavailable }

  /// Prepares the model of the data at `asset`, in `folder`.
  init(asset: URL, folder: URL) async throws {
    guard let recognizer = SFSpeechRecognizer(locale: Locale(identifier: "en_US")) else {
      throw ListenerError.unavailable
    }
    self.recognizer = recognizer
    configuration = SFSpeechLanguageModel.Configuration(
      languageModel: folder.appendingPathComponent("LanguageModel"),
      vocabulary: folder.appendingPathComponent("Vocabulary"))
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
  }

  /// What is said in a sound file.
  func hear(_ sound: URL) async throws -> String {
    let request = SFSpeechURLRecognitionRequest(url: sound)
    request.requiresOnDeviceRecognition = true
    request.customizedLanguageModel = configuration
    request.shouldReportPartialResults = false
    return try await withCheckedThrowingContinuation { continuation in
      recognizer.recognitionTask(with: request) { result, error in
        if let error {
          continuation.resume(throwing: error)
        } else if let result, result.isFinal {
          continuation.resume(returning: result.bestTranscription.formattedString)
        }
      }
    }
  }
}
