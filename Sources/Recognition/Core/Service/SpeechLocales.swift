import Foundation
import ModelStorage
import RecognitionProtocol

/// The languages of the recognizers.
package enum SpeechLocales {
  /// Those of the embedded recognizer.
  package static let embedded = Recognizer.pocketSphinx.ownLanguages.map { Locale(identifier: $0) }

  /// Those that are recognized now: the embedded recognizer's, and those of the installed models.
  package static var supported: [Locale] { languages.locales }

  private static var languages: LanguageList {
    LanguageList(
      embedded.map { $0.identifier(.bcp47) } + ModelStore().usableLanguages)
  }

  /// The supported language nearest to `locale`; nil if there is none.
  package static func supported(equivalentTo locale: Locale) -> Locale? {
    // Most programs ask for this one: no folder needs to be read.
    embedded(equivalentTo: locale) ?? languages.locale(equivalentTo: locale)
  }

  /// The embedded recognizer's language nearest to `locale`; nil if there is none.
  package static func embedded(equivalentTo locale: Locale) -> Locale? {
    embedded.first { isSame($0, as: locale) }
  }

  /// Whether words of the language have pronunciations, so that a language model can give more.
  package static func hasDictionary(for locale: Locale) -> Bool { embedded(equivalentTo: locale) != nil }

  /// Whether `locale` means a supported language. A language without a region stands for any of its regions.
  package static func isSame(_ supported: Locale, as locale: Locale) -> Bool {
    guard supported.modelLanguage == locale.modelLanguage else { return false }
    // "001" is the region "world".
    guard let region = locale.region, region.identifier != "001" else { return true }
    return region == supported.region
  }
}

/// The languages of models, by their codes. A code without a region stands for all regions of its language.
package struct LanguageList: Sendable {
  private let codes: [String]

  package init(_ codes: [String]) { self.codes = codes }

  /// The languages as locales, each once: a language without a region as that of its most likely region.
  package var locales: [Locale] {
    var locales: [Locale] = []
    for locale in codes.map(Self.locale) where !locales.contains(locale) { locales.append(locale) }
    return locales
  }

  /// The locale of this list that means the same language; nil if there is none.
  package func locale(equivalentTo locale: Locale) -> Locale? {
    let own = codes.map { (Locale(identifier: $0), $0) }
    let same = own.first { $0.0.region != nil && SpeechLocales.isSame($0.0, as: locale) }
    let fitting = own.first {
      $0.0.region == nil && $0.0.modelLanguage == locale.modelLanguage
    }
    return (same ?? fitting).map { Self.locale($0.1) }
  }

  private static func locale(_ code: String) -> Locale {
    let language = Locale.Language(identifier: code)
    let likely = Locale.Language(identifier: language.maximalIdentifier)
    guard language.region == nil, let region = likely.region else { return Locale(identifier: code) }
    return Locale(identifier: "\(code)-\(region.identifier)")
  }
}
