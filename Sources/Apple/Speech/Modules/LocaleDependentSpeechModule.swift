import Foundation

/// A module that has to know the language.
public protocol LocaleDependentSpeechModule: SpeechModule {
  /// The languages that the module can be made for, whether or not their models are installed.
  static var supportedLocales: [Locale] { get async }
  /// The supported language that is nearest to `locale`; nil if there is none.
  static func supportedLocale(equivalentTo locale: Locale) async -> Locale?
  /// The languages that this module was made for.
  var selectedLocales: [Locale] { get }
}
