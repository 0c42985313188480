import AVFAudio
import Speech

/// A module that says which languages it was made for, and finds nothing.
final class ScriptedModule: LocaleDependentSpeechModule {
  struct Result: SpeechModuleResult, Sendable {
    var range: CMTimeRange { .zero }
    var resultsFinalizationTime: CMTime { .zero }
  }

  static var supportedLocales: [Locale] { get async { [] } }
  static func supportedLocale(equivalentTo locale: Locale) async -> Locale? { nil }

  let selectedLocales: [Locale]
  var results: AsyncThrowingStream<Result, any Error> { AsyncThrowingStream { $0.finish() } }
  var availableCompatibleAudioFormats: [AVAudioFormat] { get async { [] } }

  init(_ locales: String...) { selectedLocales = locales.map(Locale.init(identifier:)) }
}
