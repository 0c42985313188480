/// Of two phrases that sound alike, prefers the candidate with the one that fits the words around it, or the word before
/// the segment. All other words must be equal.
struct ContextualPhraseSelector: CandidateSelector {
  let rule = RerankingRule.contextualPhrase
  private let phrases: [ContextualPhrase]
  private let continuations: [PhraseContinuation]

  init(
    _ phrases: [ContextualPhrase] = ContextualPhrase.declared,
    _ continuations: [PhraseContinuation] = PhraseContinuation.declared
  ) {
    (self.phrases, self.continuations) = (phrases, continuations)
  }

  func choose(among candidates: [CandidateWords], after previous: String?) -> Int? {
    guard let first = candidates.first else { return nil }
    for continuation in continuations
    where continuation.previous == previous && continuation.mistaken == first.tokens.first {
      let chosen = best(among: candidates) { first, other in
        other.words.first.map(CandidateWords.token) == continuation.intended
          && first.words.dropFirst() == other.words.dropFirst() ? 1 : 0
      }
      if let chosen { return chosen }
    }
    for phrase in phrases {
      let starts = starts(of: phrase.mistaken, in: first.tokens).filter { start in
        start == 0 || !phrase.unlessAfter.contains(first.tokens[start - 1])
      }
      guard let start = starts.first, hasContext(phrase, in: first.tokens, around: start) else { continue }
      if let chosen = best(among: candidates, gain: { gain($0, $1, phrase, starts) }) { return chosen }
    }
    return nil
  }

  private func starts(of phrase: [String], in tokens: [String]) -> [Int] {
    guard phrase.count <= tokens.count else { return [] }
    return (0...tokens.count - phrase.count).filter { start in
      tokens[start..<start + phrase.count].elementsEqual(phrase)
    }
  }

  private func hasContext(_ phrase: ContextualPhrase, in tokens: [String], around index: Int) -> Bool {
    starts(of: phrase.context, in: tokens).contains { start in
      start + phrase.context.count <= index || start >= index + phrase.mistaken.count
    }
  }

  /// The number of `starts` at which the other candidate has the intended phrase; 0 if other words differ.
  private func gain(
    _ first: CandidateWords, _ other: CandidateWords, _ phrase: ContextualPhrase, _ starts: [Int]
  ) -> Int {
    // The phrases may begin with the same words; the candidates differ after them.
    let shared = zip(phrase.mistaken, phrase.intended).prefix { $0 == $1 }.count
    return replacements(in: first.words, by: other.words) { index, otherIndex in
      let start = index - shared
      let end = otherIndex - shared + phrase.intended.count
      guard starts.contains(start), otherIndex >= shared, end <= other.words.count,
        other.words[otherIndex - shared..<end].map(CandidateWords.token).elementsEqual(phrase.intended)
      else { return nil }
      return (start + phrase.mistaken.count, end)
    }
  }
}

/// A phrase that recognizers confuse with another, and the words around it that show which one was said.
struct ContextualPhrase: Sendable, Hashable {
  /// Consecutive words elsewhere in the same segment.
  let context: [String]
  /// The phrase that recognizers report by mistake.
  let mistaken: [String]
  /// The phrase that was said.
  let intended: [String]
  /// Words before the mistaken phrase with which it is correct.
  var unlessAfter: [String] = []

  /// The known phrases, in lower case. Each is narrow on purpose.
  static let declared = [
    ContextualPhrase(
      context: ["you're", "off"], mistaken: ["trek", "for"], intended: ["track", "for"],
      unlessAfter: ["star"]),
    ContextualPhrase(
      context: ["off", "the"], mistaken: ["beaten", "truck"], intended: ["beaten", "track"]),
    ContextualPhrase(context: ["breath"], mistaken: ["with", "baited"], intended: ["with", "bated"]),
  ]
}

/// The first word of a segment that recognizers confuse with another, and the last word before the segment that shows
/// which one was said.
struct PhraseContinuation: Sendable, Hashable {
  /// The last word of the preceding text.
  let previous: String
  /// The first word that was said.
  let intended: String
  /// The first word that recognizers report by mistake.
  let mistaken: String

  /// The known continuations, in lower case. "trek" alone is correct in any note about hiking, so that each needs its
  /// preceding word.
  static let declared = [
    PhraseContinuation(previous: "off", intended: "track", mistaken: "trek"),
    PhraseContinuation(previous: "off", intended: "track", mistaken: "check"),
  ]
}
