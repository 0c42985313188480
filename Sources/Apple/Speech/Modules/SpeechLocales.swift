import Foundation

/// The languages of the recognizer.
enum SpeechLocales {
  static var supported: [Locale] {
    SFSpeechRecognizer.supportedLocales().sorted { $0.identifier < $1.identifier }
  }

  /// The languages that can be recognized here and now: there is a service, and it finds their models.
  static var installed: [Locale] {
    get async {
      guard SpeechServicePool.shared.executable != nil else { return [] }
      return await AssetStore.shared.installedLocales
    }
  }

  /// The supported language nearest to `locale`: a language without a region stands for any of its regions.
  static func supported(equivalentTo locale: Locale) -> Locale? {
    SFSpeechRecognizer(locale: locale)?.locale
  }
}
