import AVFoundation
import ExampleSupport
import Speech

/// A transcript that grows while somebody speaks, as a screen with a record button would hold it.
@MainActor
final class LiveTranscription {
  /// Why there is nothing to show.
  enum Failure: LocalizedError {
    case unsupportedLanguage(Locale)
    case noAudioFormat

    var errorDescription: String? {
      switch self {
      case .unsupportedLanguage(let locale): "no speech is transcribed in \(locale.identifier(.bcp47))"
      case .noAudioFormat: "no audio format suits the transcriber"
      }
    }
  }

  /// What does not change any more.
  private(set) var finalizedTranscript = AttributedString()
  /// What has been heard since, as far as it is understood by now.
  private(set) var volatileTranscript = AttributedString()

  private let display: LiveLine

  init(display: LiveLine) { self.display = display }

  /// Transcribes a source of sound to its end.
  func listen(to source: FileSource, atPace: Bool) async throws {
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
      // The first words need not wait for the model.
      try await analyzer.prepareToAnalyze(in: format)
      try await analyzer.start(inputSequence: inputSequence)
      try await source.play(atPace: atPace) { buffer in
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
    // Where the last word ends that is understood: how far the transcript is behind the voice.
    let heard = transcript.runs.reversed().lazy.compactMap(\.audioTimeRange).first?.end.seconds ?? 0
    display.replace(String(format: "%.1f s: ", heard) + String(transcript.characters))
  }
}
