import Foundation

/// The X-SAMPA symbols of languages whose pronunciations the data can carry, but that the embedded recognizer does not know.
///
/// Apple publishes no lists. These are the phonemes of Wells's SAMPA (University College London, 1989 to 2005), written in
/// X-SAMPA (Wells 1995) where the two differ: Spanish `rr`, `r` and `jj` are `r`, `4` and `j\`, the British `r` is `r\` too,
/// and diphthongs, affricates, long and nasal vowels are one symbol each.
enum PhonemeSets {
  /// The symbols, by language, or by language and region (BCP 47).
  private static let texts = [
    "en-GB": """
    p b t d k g tS dZ f v T D s z S Z h m n N l r r\\ w j
    I e { Q V U @ i u i: u: A: O: 3: eI aI OI @U aU I@ e@ U@ m= n= l=
    """,
    "de": """
    p b t d k g ? pf ts tS dZ f v s z S Z C j x h m n N l R r
    I E a O U Y 9 @ 6 i e E: o u y 2 i: e: a: o: u: y: 2: aI aU OY e~ E~ a~ o~ O~ 9~
    i:6 I6 y:6 Y6 e:6 E6 E:6 2:6 96 a:6 a6 u:6 U6 o:6 O6 m= n= N= l=
    """,
    "fr": """
    p b t d k g f v s z S Z m n J N l R w H j
    i e E a A O o u y 2 9 @ e~ a~ o~ 9~
    """,
    "es": """
    p b t d k g tS f T s z x B D G m n N J l L r 4 j j\\ w
    i e a o u
    """,
    "it": """
    p b t d k g ts dz tS dZ f v s z S m n N J l L r j w
    i e E a O o u
    """,
  ]

  /// The symbols of a language, sorted; empty if none are listed.
  static func symbols(of locale: Locale) -> [String] {
    guard let language = locale.language.languageCode?.identifier else { return [] }
    let text = texts["\(language)-\(locale.region?.identifier ?? "")"] ?? texts[language] ?? ""
    return text.split(whereSeparator: \.isWhitespace).map(String.init).sorted()
  }
}
