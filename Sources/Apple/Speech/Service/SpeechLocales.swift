import Foundation

/// The languages of the recognizer.
enum SpeechLocales {
  /// Those of the embedded recognizer.
  static let embedded = [Locale(identifier: "en-US")]

  static var supported: [Locale] { embedded }

  /// The supported language nearest to `locale`; nil if there is none.
  static func supported(equivalentTo locale: Locale) -> Locale? {
    supported.first { isSame($0, as: locale) }
  }

  /// Whether `locale` means a supported language. A language without a region stands for any of its regions.
  static func isSame(_ supported: Locale, as locale: Locale) -> Bool {
    guard supported.language.languageCode == locale.language.languageCode else { return false }
    // "001" is the region "world".
    guard let region = locale.region, region.identifier != "001" else { return true }
    return region == supported.region
  }
}
