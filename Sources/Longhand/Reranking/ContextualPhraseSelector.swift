/// Prefers a candidate that has, of two phrases that sound alike, the one that the words around it ask for. Nothing else
/// may differ.
struct ContextualPhraseSelector: CandidateSelector {
  let rule = RerankingRule.contextualPhrase
  private let phrases: [ContextualPhrase]

  init(_ phrases: [ContextualPhrase] = ContextualPhrase.declared) { self.phrases = phrases }

  func choose(among readings: [CandidateWords]) -> Int? {
    guard let first = readings.first else { return nil }
    for phrase in phrases {
      let places = places(of: phrase.heard, in: first.tokens).filter { place in
        place == 0 || !phrase.unlessAfter.contains(first.tokens[place - 1])
      }
      guard let place = places.first, hasContext(phrase, in: first.tokens, around: place) else { continue }
      if let chosen = best(among: readings, gain: { gain($0, $1, phrase, places) }) { return chosen }
    }
    return nil
  }

  private func places(of phrase: [String], in tokens: [String]) -> [Int] {
    guard phrase.count <= tokens.count else { return [] }
    return (0...tokens.count - phrase.count).filter { start in
      tokens[start..<start + phrase.count].elementsEqual(phrase)
    }
  }

  private func hasContext(_ phrase: ContextualPhrase, in tokens: [String], around place: Int) -> Bool {
    places(of: phrase.context, in: tokens).contains { start in
      start + phrase.context.count <= place || start >= place + phrase.heard.count
    }
  }

  /// At how many of `places` the other reading has what is meant; 0 if anything else differs.
  private func gain(
    _ first: CandidateWords, _ other: CandidateWords, _ phrase: ContextualPhrase, _ places: [Int]
  ) -> Int {
    // The phrases may begin alike, so that the difference lies further on.
    let shared = zip(phrase.heard, phrase.meant).prefix { $0 == $1 }.count
    return replacements(in: first, by: other) { position, place in
      let start = position - shared
      let end = place - shared + phrase.meant.count
      guard places.contains(start), place >= shared, end <= other.words.count,
        other.words[place - shared..<end].map(CandidateWords.token).elementsEqual(phrase.meant)
      else { return nil }
      return (start + phrase.heard.count, end)
    }
  }
}

/// A phrase that is misheard for another, and the words that tell which was said.
struct ContextualPhrase: Sendable, Hashable {
  /// Words that stand next to each other somewhere else in the same segment.
  let context: [String]
  /// What is heard.
  let heard: [String]
  /// What is meant.
  let meant: [String]
  /// Words that make what is heard right where one of them stands before it.
  var unlessAfter: [String] = []

  /// The phrases that are declared, in lower case. Each is narrow on purpose.
  static let declared = [
    ContextualPhrase(
      context: ["you're", "off"], heard: ["trek", "for"], meant: ["track", "for"], unlessAfter: ["star"]),
    ContextualPhrase(context: ["off", "the"], heard: ["beaten", "truck"], meant: ["beaten", "track"]),
    ContextualPhrase(context: ["breath"], heard: ["with", "baited"], meant: ["with", "bated"]),
  ]
}
