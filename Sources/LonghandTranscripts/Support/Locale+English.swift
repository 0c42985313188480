import Foundation

extension Locale {
  /// Whether the language is English. The rules about spelling and the comparison of sounds know no other.
  package var isEnglish: Bool { language.languageCode == .english }

  /// The name of a language in English, such as `German` for `de-DE`; the code if it has none.
  package static func englishName(of tag: String) -> String {
    let code = Locale(identifier: tag).language.languageCode?.identifier ?? tag
    return Locale(identifier: "en").localizedString(forLanguageCode: code) ?? code
  }

  /// The name with the tag, such as `German (de-DE)`.
  package static func nameAndTag(_ tag: String) -> String { "\(englishName(of: tag)) (\(tag))" }

  /// Languages in a line: all of a few, else the first ones and how many more there are.
  package static func list(_ tags: [String]) -> String {
    let shown = tags.count > 5 ? 3 : 5
    let names = tags.prefix(shown).map(nameAndTag).joined(separator: ", ")
    return tags.count > 5 ? "\(names) and \(tags.count - shown) more languages" : names
  }
}

extension String {
  /// Whether it can be a language tag (BCP 47), such as `en-US`.
  package var isLanguageTag: Bool {
    (2...35).contains(utf8.count)
      && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
  }
}
