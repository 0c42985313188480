import Foundation

extension Locale {
  /// Whether the language is English. The rules about spelling and the comparison of sounds know no other.
  package var isEnglish: Bool { language.languageCode == .english }
}
