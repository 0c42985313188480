import AVFoundation
import ExampleSupport
import Speech

/// A transcript that grows during speech, as a view with a record button would use it.
@MainActor
@available(macOS 26, iOS 26, *)
final class LiveTranscription {
  /// Why recognition failed.
  enum Failure: LocalizedError {
    case unsupportedLanguage(Locale)
    case noAudioFormat

    var errorDescription: String? {
      switch self {
      case .unsupportedLanguage(let locale): "the language \(locale.identifier(.bcp47)) is not supported"
      case .noAudioFormat: "the transcriber supports no audio format"
      }
    }
  }

  /// The text that is final.
  private(set) var finalizedTranscript = AttributedString()
  /// The text after it, which may still change.
  private(set) var volatileTranscript = AttributedString()

  private let display: LiveLine

  init(display: LiveLine) { self.display = display }

  /// Transcribes a source of audio to its end.
  func transcribe(_ source: FileSource, inRealTime: Bool) async throws {
    let transcriber = try await transcriber(of: Locale(identifier: "en-US"))
    let modules: [any SpeechModule] = [transcriber, SpeechDetector()]
    if let request = try await AssetInventory.assetInstallationRequest(supporting: modules) {
      try await request.downloadAndInstall()
    }
    guard let format = await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: modules) else {
      throw Failure.noAudioFormat
    }
    let converter = BufferConverter(to: format)
    let analyzer = SpeechAnalyzer(modules: modules)
    let (inputSequence, inputBuilder) = AsyncStream.makeStream(of: AnalyzerInput.self)

    let recognizerTask = Task {
      for try await result in transcriber.results { receive(result) }
    }
    do {
      // Loads the model now, so that the first words do not wait for it.
      try await analyzer.prepareToAnalyze(in: format)
      try await analyzer.start(inputSequence: inputSequence)
      try await source.play(inRealTime: inRealTime) { buffer in
        inputBuilder.yield(AnalyzerInput(buffer: try converter.convert(buffer)))
      }
      inputBuilder.finish()
      try await analyzer.finalizeAndFinishThroughEndOfInput()
    } catch {
      inputBuilder.finish()
      await analyzer.cancelAndFinishNow()
      throw error
    }
    try await recognizerTask.value
    display.finish(String(finalizedTranscript.characters))
  }

  private func transcriber(of language: Locale) async throws -> SpeechTranscriber {
    guard let locale = await SpeechTranscriber.supportedLocale(equivalentTo: language) else {
      throw Failure.unsupportedLanguage(language)
    }
    return SpeechTranscriber(
      locale: locale, transcriptionOptions: [], reportingOptions: [.volatileResults],
      attributeOptions: [.audioTimeRange])
  }

  private func receive(_ result: SpeechTranscriber.Result) {
    if result.isFinal {
      finalizedTranscript += result.text
      volatileTranscript = AttributedString()
    } else {
      volatileTranscript = result.text
    }
    let transcript = finalizedTranscript + volatileTranscript
    // The end of the last recognized word shows how far the transcript is behind the speaker.
    let recognizedTo = transcript.runs.reversed().lazy.compactMap(\.audioTimeRange).first?.end.seconds ?? 0
    display.replace(String(format: "%.1f s: ", recognizedTo) + String(transcript.characters))
  }
}
