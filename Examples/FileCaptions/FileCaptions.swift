import AVFoundation
import Speech

/// Writes the captions of a file.
@MainActor
@available(macOS 26, iOS 26, *)
struct FileCaptions {
  /// Why captions cannot be written.
  enum Failure: LocalizedError {
    case unsupportedLanguage(Locale)

    var errorDescription: String? {
      switch self {
      case .unsupportedLanguage(let locale): "the language \(locale.identifier(.bcp47)) is not supported"
      }
    }
  }

  let url: URL
  var language = Locale(identifier: "en-US")

  /// Calls `print` with the blocks of a WebVTT file: the header, then each caption as soon as its words are final.
  func write(_ print: (String) -> Void) async throws {
    let file = try AVAudioFile(forReading: url)
    guard let locale = await SpeechTranscriber.supportedLocale(equivalentTo: language) else {
      throw Failure.unsupportedLanguage(language)
    }
    let transcriber = SpeechTranscriber(
      locale: locale, transcriptionOptions: [], reportingOptions: [], attributeOptions: [.audioTimeRange])
    if let request = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) {
      try await request.downloadAndInstall()
    }

    let analyzer = SpeechAnalyzer(modules: [transcriber])
    // Returns immediately. The sequence of results ends after the last word.
    try await analyzer.start(inputAudioFile: file, finishAfterFile: true)
    print("WEBVTT\n")
    for try await result in transcriber.results {
      if let cue = CaptionCue(result.text) { print(cue.block) }
    }
  }
}
