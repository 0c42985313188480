import Foundation

/// The codes by which models know languages. Several codes can name one language.
package enum ModelLanguage {
  /// Languages for which models use an older code, or that of a related language.
  private static let known = [
    "nb": "no", "fil": "tl", "jv": "jw", "cmn": "zh", "iw": "he", "in": "id",
  ]

  /// The code of models for a language (BCP 47).
  package static func code(of language: String) -> String {
    let code = language.split(whereSeparator: { "-_".contains($0) }).first.map { $0.lowercased() } ?? ""
    return known[code] ?? code
  }
}

extension Locale {
  /// The code of models for the language; nil if the locale has none.
  package var modelLanguage: String? {
    language.languageCode.map { ModelLanguage.code(of: $0.identifier) }
  }
}
