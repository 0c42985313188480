import CWords

/// Lists of English words.
enum EnglishWords {
  /// The words of a text, between ASCII whitespace.
  static func words(_ text: some StringProtocol) -> Set<String> {
    Set(text.utf8.split { $0 <= UInt8(ascii: " ") }.map { String(decoding: $0, as: UTF8.self) })
  }
}

/// Words of English that have a capital everywhere.
enum EnglishCapitals {
  /// Names that are no common words too: of people, places, peoples, days and months. From SCOWL, by
  /// `Benchmarks/Sentences/names.py`.
  private static let names = EnglishWords.words(String(cString: names_text()))

  static let titles = EnglishWords.words("mr mrs ms dr messrs")
  /// Names that are common words too, but hardly ever said as such.
  private static let usualNames = EnglishWords.words(
    "john jack joe tom harry peter jerry jimmy bobby sally molly china")

  /// Whether a word in lower case has a capital.
  static func contains(_ word: String) -> Bool {
    if word == "i" || word.hasPrefix("i'") || titles.contains(word)
      || usualNames.contains(word)
    {
      return true
    }
    return names.contains(word.hasSuffix("'s") ? String(word.dropLast(2)) : word)
  }
}
