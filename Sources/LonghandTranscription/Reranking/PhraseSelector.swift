import LonghandTranscripts

/// Prefers a candidate in which a phrase of a table has its intended form, and all other words are equal.
///
/// The table says which words recognizers report, which are meant, and which words around them show it. Of several
/// candidates, the one with the most intended phrases is chosen.
struct PhraseSelector: CandidateSelector {
  /// What a candidate may change.
  enum Difference {
    /// The words of a phrase.
    case words
    /// The spelling of a phrase with the same words. A number in digits equals its word. The first word of the segment may
    /// gain a capital letter and the last one a final mark, which count 1 each; a phrase counts 3.
    case spelling
  }

  /// The preferred spelling of compounds: `a two-day trip` and not `a 2 day trip`.
  static let compounds = PhraseSelector(
    rule: .editorialFormatting, difference: .spelling, RerankingPhrase.compounds)
  /// Of two phrases that sound alike, the one that fits the words around it.
  static let contextual = PhraseSelector(
    rule: .contextualPhrase, difference: .words, RerankingPhrase.contextual)

  let rule: RerankingRule
  private let difference: Difference
  private let phrases: [RerankingPhrase]

  private static let numbers: [Substring: Substring] = [
    "0": "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "10": "ten", "11": "eleven", "12": "twelve",
  ]
  private static let finalMarks: Set<Character> = [".", "?", "!", ",", ";", ":"]
  private static let minGain = 3

  init(rule: RerankingRule, difference: Difference, _ phrases: [RerankingPhrase]) {
    (self.rule, self.difference, self.phrases) = (rule, difference, phrases)
  }

  func choose(among candidates: [CandidateWords], after previous: String?) -> Int? {
    guard let first = candidates.first else { return nil }
    let tokens = difference == .words ? first.tokens : first.tokens.map(Self.spoken)
    let found = phrases.map { ($0, $0.starts(in: tokens, after: previous)) }.filter { !$0.1.isEmpty }
    guard !found.isEmpty else { return nil }
    let (words, score) = compared(first)
    return best(among: candidates) { candidate in
      let (others, otherScore) = compared(candidate)
      let gain = Self.minGain * replacements(of: found, in: words, by: others) + otherScore - score
      return gain >= Self.minGain ? gain : 0
    }
  }

  /// The number of phrases in `first` that `other` has in their intended form, if all other words are equal; else 0.
  private func replacements(
    of found: [(RerankingPhrase, starts: [Int])], in first: [Substring], by other: [Substring]
  ) -> Int {
    var (index, otherIndex, count) = (0, 0, 0)
    while index < first.count, otherIndex < other.count {
      if first[index] == other[otherIndex] {
        (index, otherIndex) = (index + 1, otherIndex + 1)
        continue
      }
      let replaced = found.first { phrase, starts in
        let (start, otherStart) = (index - phrase.shared, otherIndex - phrase.shared)
        return starts.contains(start) && otherStart >= 0
          && isIntended(
            phrase, other.dropFirst(otherStart), for: first[start..<start + phrase.reported.count])
      }
      guard let (phrase, _) = replaced else { return 0 }
      index += phrase.reported.count - phrase.shared
      otherIndex += phrase.intended.count - phrase.shared
      count += 1
    }
    return index == first.count && otherIndex == other.count ? count : 0
  }

  /// Whether words begin with the intended phrase.
  private func isIntended(
    _ phrase: RerankingPhrase, _ other: ArraySlice<Substring>, for reported: ArraySlice<Substring>
  ) -> Bool {
    let written = other.prefix(phrase.intended.count)
    guard difference == .spelling else {
      return written.map(CandidateWords.token).elementsEqual(phrase.intended)
    }
    // The punctuation around the phrase and its first capital letter must not change.
    let before = reported.joined(separator: " ")
    let lead = before.prefix { !$0.isLetter }
    let trail = String(before.reversed().prefix { !$0.isLetter }.reversed())
    // Words with punctuation between them are not the phrase.
    let core = before.dropFirst(lead.count).dropLast(trail.count)
    guard core.lowercased() == phrase.reported.joined(separator: " ") else { return false }
    let after = written.joined(separator: " ").replacing("\u{2019}", with: "'")
    let target = phrase.intended.joined(separator: " ")
    let capital =
      core.first?.isUppercase == true ? target.prefix(1).uppercased() + target.dropFirst() : target
    return [target, capital].contains { after == "\(lead)\($0)\(trail)" }
  }

  /// The words that must be equal, and the score of what is left out.
  private func compared(_ candidate: CandidateWords) -> (words: [Substring], score: Int) {
    var (words, score) = (candidate.words, 0)
    guard difference == .spelling, let last = words.last else { return (words, score) }
    let marks = last.reversed().prefix { Self.finalMarks.contains($0) }.count
    if marks > 0, marks < last.count {
      words[words.count - 1] = last.dropLast(marks)
      score += 1
    }
    // Not "AI" or "McGregor".
    let word = words[0]
    if word.first?.isUppercase == true, !word.dropFirst().contains(where: \.isUppercase) {
      words[0] = Substring(word.lowercased())
      score += 1
    }
    return (words.map { Self.numbers[$0] ?? $0 }, score)
  }

  private static func spoken(_ token: String) -> String { numbers[token[...]].map(String.init) ?? token }
}
