import Foundation
import Longhand

/// The language of speech, as clients name it: by a tag such as `en-US`, by its English name as the server itself writes
/// it in `verbose_json`, or not at all (see `ClientValue`).
enum ClientLanguage: Equatable {
  /// The server's own language: the client sent nothing, or `auto`.
  case server
  /// A language tag (BCP 47).
  case tag(String)

  /// - Returns: nil if the text names no language.
  init?(_ text: String) {
    let sent = ClientValue(text)?.text ?? "auto"
    let name = sent.lowercased()
    if name == "auto" {
      self = .server
    } else if name.count > 3, let code = Self.codes[name] {
      self = .tag(code)
    } else if name.isLanguageTag {
      self = .tag(sent)
    } else {
      return nil
    }
  }

  /// The tag; nil for the server's own language.
  var tag: String? { if case .tag(let tag) = self { tag } else { nil } }

  /// The English name of a language code, in lower case; nil if it has none.
  static func name(of code: String) -> String? {
    english.localizedString(forLanguageCode: code)?.lowercased()
  }

  private static let english = Locale(identifier: "en_US")

  /// The codes by the names, with those that Whisper has beside.
  private static let codes: [String: String] = {
    let aliases = [
      "castilian": "es", "flemish": "nl", "haitian": "ht", "letzeburgesch": "lb", "mandarin": "zh",
      "moldavian": "ro", "moldovan": "ro", "myanmar": "my", "nynorsk": "nn", "panjabi": "pa", "pushto": "ps",
      "sinhalese": "si", "tagalog": "tl", "valencian": "ca",
    ]
    let names = Locale.LanguageCode.isoLanguageCodes.map(\.identifier).compactMap { code in
      name(of: code).map { ($0, code) }
    }
    // Of several codes with one name the shortest is the usual one.
    return aliases.merging(names) { $0.count <= $1.count ? $0 : $1 }
  }()
}
