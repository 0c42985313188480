/// Words of English that say where a sentence can end.
enum EnglishWords {
  static let conjunctions = words(
    """
    and but or nor so yet for because if when where which who whom whose that while as though although unless until
    till since then than however therefore
    """)
  static let coordinators = words("but for or nor")
  static let relatives = words("which who that")
  /// After these a sentence goes on.
  static let open = words(
    """
    a an the of to in on at by with from into upon for my your his her its our their this these those very is was are
    were be been am has have had will would shall should can could may might must not no
    """)
  /// With these a clause begins.
  static let subjects = words("i he she it we they you there this that these those")

  static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}

/// Words of English that have a capital everywhere.
enum EnglishCapitals {
  /// Names that are no common words too: of people, places, peoples, days and months. From SCOWL, by
  /// `Benchmarks/Sentences/names.py`.
  private static let names = EnglishWords.words(String(decoding: PackageResources.names_txt, as: UTF8.self))

  private static let titles = EnglishWords.words("mr mrs ms dr messrs")
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
