import AVFoundation
import Speech

/// The captions of a file.
@MainActor
struct FileCaptions {
  /// Why there are no captions.
  enum Failure: LocalizedError {
    case unsupportedLanguage(Locale)

    var errorDescription: String? {
      switch self {
      case .unsupportedLanguage(let locale): "no speech is transcribed in \(locale.identifier(.bcp47))"
      }
    }
  }

  let url: URL
  var language = Locale(identifier: "en-US")

  /// Calls `print` with block after block of a WebVTT file: its header, and each caption as soon as its words are
  /// final.
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
    // Returns at once; the results end after those of the last word.
    try await analyzer.start(inputAudioFile: file, finishAfterFile: true)
    print("WEBVTT\n")
    for try await result in transcriber.results {
      if let cue = CaptionCue(result.text) { print(cue.block) }
    }
  }
}
