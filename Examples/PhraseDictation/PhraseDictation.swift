import AVFoundation
import Foundation
import Speech

/// Transcribes the dictation in a file.
@MainActor
@available(macOS 26, iOS 26, *)
struct PhraseDictation {
  /// Why there is no dictation.
  enum Failure: LocalizedError {
    case unsupportedLanguage(Locale)

    var errorDescription: String? {
      switch self {
      case .unsupportedLanguage(let locale): "the language \(locale.identifier(.bcp47)) is not supported"
      }
    }
  }

  let url: URL
  /// Phrases that are likely in this dictation, even if they are rare elsewhere.
  let expectedPhrases: [String]
  var language = Locale(identifier: "en-US")

  /// Calls `body` with each result.
  func forEach(_ body: (DictationTranscriber.Result) -> Void) async throws {
    let file = try AVAudioFile(forReading: url)
    guard let locale = await DictationTranscriber.supportedLocale(equivalentTo: language) else {
      throw Failure.unsupportedLanguage(language)
    }
    let transcriber = DictationTranscriber(
      locale: locale, contentHints: [.shortForm], transcriptionOptions: [],
      reportingOptions: [.alternativeTranscriptions], attributeOptions: [.transcriptionConfidence])
    if let request = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) {
      try await request.downloadAndInstall()
    }

    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let context = AnalysisContext()
    context.contextualStrings[.general] = expectedPhrases
    try await analyzer.setContext(context)
    if let end = try await analyzer.analyzeSequence(from: file) {
      try await analyzer.finalizeAndFinish(through: end)
    } else {
      await analyzer.cancelAndFinishNow()
    }
    // The transcriber has kept the results.
    for try await result in transcriber.results { body(result) }
  }
}

/// Prints a result: the text, a line for each word, and the alternatives.
@available(macOS 26, iOS 26, *)
struct PhraseReport {
  func print(_ result: DictationTranscriber.Result) {
    Swift.print(line(result.text))
    for run in result.text.runs {
      guard let confidence = run.transcriptionConfidence else { continue }
      // Consecutive words with the same confidence are one run.
      for word in result.text[run.range].characters.split(whereSeparator: \.isWhitespace) {
        Swift.print(String(format: "  %4.2f  ", confidence) + String(word))
      }
    }
    for other in result.alternatives.dropFirst() { Swift.print("  or: \(line(other))") }
  }

  /// The text of a result begins with the space that separates it from the result before.
  private func line(_ text: AttributedString) -> String {
    String(text.characters).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
