import Foundation
import Speech

/// Recognizes chess commands with a custom language model.
@available(macOS 26, iOS 26, *)
final class ChessRecognizer {
  private let recognizer: SFSpeechRecognizer
  private let configuration: SFSpeechLanguageModel.Configuration

  enum RecognizerError: Error { case unavailable }

  /// Prepares the language model from the data at `asset`, and stores it in `folder`.
  init(asset: URL, folder: URL) async throws {
    guard let recognizer = SFSpeechRecognizer(locale: Locale(identifier: "en_US")) else {
      throw RecognizerError.unavailable
    }
    self.recognizer = recognizer
    configuration = SFSpeechLanguageModel.Configuration(
      languageModel: folder.appendingPathComponent("LanguageModel"),
      vocabulary: folder.appendingPathComponent("Vocabulary"))
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
  }

  /// Recognizes the commands in an audio file.
  func recognize(_ file: URL) async throws -> String {
    let request = SFSpeechURLRecognitionRequest(url: file)
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

/// The language model of chess.
struct ChessLanguage {
  /// Every move of a piece to a king's or queen's file, some openings, and the pronunciation of two names.
  var data: SFCustomLanguageModelData {
    SFCustomLanguageModelData(
      locale: Locale(identifier: "en_US"), identifier: "com.example.SpokenChess", version: "1.0"
    ) {
      SFCustomLanguageModelData.PhraseCountsFromTemplates(
        classes: [
          "piece": ["pawn", "rook", "knight", "bishop", "queen", "king"],
          "royal": ["queen", "king"],
          "rank": (1...8).map { String($0) },
        ]
      ) {
        SFCustomLanguageModelData.TemplatePhraseCountGenerator.Template(
          "<piece> to <royal> <piece> <rank>", count: 10_000)
      }
      for opening in ["Albin counter gambit", "Winawer variation", "Tartakower variation"] {
        SFCustomLanguageModelData.PhraseCount(phrase: "play the \(opening)", count: 10)
      }
      SFCustomLanguageModelData.CustomPronunciation(grapheme: "Winawer", phonemes: ["w I n aU @r"])
      SFCustomLanguageModelData.CustomPronunciation(grapheme: "Tartakower", phonemes: ["t A r t @ k aU @r"])
    }
  }
}
