import Foundation

/// Words after which a sentence goes on, however long the pause is.
enum LeadingWords {
  /// Articles, prepositions and conjunctions, by language, that end no sentence. Left out are those that are a part of a verb
  /// or a pronoun, too, such as German "an" ("fang an") and French "en" ("prends-en").
  private static let other: [String: Set<String>] = [
    "de": """
    als am beim bis dass dem des eine einem einen einer eines für im ins mein meine meinem meinen meiner oder ob sehr sein
    seine seinem seinen seiner sondern und vom von weil wenn zum zur über unter
    """,
    "es":
      "al con cuando de del desde el en entre hacia la las los mi mis muy ni o para pero por porque que si sin su sus un una y",
    "fr": """
    au aux avec car ces cet cette chez dans de des du et la le les leur leurs ma mais mes mon ne ou par pour puisque que quand
    sa sans ses si son sur ta tes très ton un une
    """,
    "it": """
    ai al alla alle anche che con da dai dal dalla dalle degli dei del della delle di e gli i il in la le lo ma nei nel nella
    nelle o per perché quando se sul sulla tra un una uno
    """,
    "nl": "bij dat de een en het hun maar met mijn naar of omdat onze te van voor wanneer want zeer zijn",
    "pt":
      "ao aos as com da das de do dos e em mas meu minha muito na nas no nos o os ou para pela pelo por porque quando que se sem seu sua um uma",
    "ru": "без в во для до если за и из или к как когда ко на не но о об от по под при с со у чтобы что",
    "pl": "albo ale bez bo dla do i jeśli lub na nad nie o od oraz po pod przez przy u w we z ze za że żeby",
  ].mapValues { EnglishWords.words($0) }

  private static let adjectiveEndings = ["ful", "ous", "able", "ible", "ical"]
  /// After these an English adjective can end a sentence.
  private static let linkingWords = EnglishWords.words(
    """
    am are as be became become been being feel feels felt get gets got grew how is isn't less look looked looks more most not
    quite rather seem seemed seems so too very was wasn't were
    """)

  /// The words of a language other than English; nil if there is no list.
  static func words(of language: Locale.Language) -> Set<String> {
    language.languageCode.flatMap { other[$0.identifier] } ?? []
  }

  /// Whether an English word is an adjective that belongs to the next one: "useful", "knowledge".
  /// - Parameter before: the word before it.
  static func isAdjective(_ word: String, after before: String?, of next: String) -> Bool {
    word.count > 5 && adjectiveEndings.contains(where: word.hasSuffix)
      && before.map(linkingWords.contains) == false
      && !EnglishCapitals.contains(next) && !PhraseEvidence.followsMarks(next)
  }
}
