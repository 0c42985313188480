import AVFoundation
import Speech

/// What is dictated in a file.
@MainActor
struct PhraseDictation {
  /// Why nothing is taken down.
  enum Failure: LocalizedError {
    case unsupportedLanguage(Locale)

    var errorDescription: String? {
      switch self {
      case .unsupportedLanguage(let locale): "no dictation is taken in \(locale.identifier(.bcp47))"
      }
    }
  }

  let url: URL
  /// Phrases that are likely to be said, however rare they are otherwise.
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
    // The results have waited.
    for try await result in transcriber.results { body(result) }
  }
}
