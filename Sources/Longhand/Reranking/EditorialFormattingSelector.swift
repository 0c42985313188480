/// Prefers a candidate with the same words that has the preferred spelling of a compound.
///
/// For example, it prefers `a two-day trip` to `a two day trip` and to `a 2 day trip`. Only the compounds of a short list
/// count. All other words must be equal when they are spoken: a number may be written in digits or as a word. The first
/// word may gain a capital letter and the last one a final mark.
struct EditorialFormattingSelector: CandidateSelector {
  /// The compounds in their preferred spelling.
  static let compounds = ["two-day", "entry-level", "high-level", "AI-generated", "years' experience"]

  let rule = RerankingRule.editorialFormatting

  /// The score of one compound; a first capital letter and a final mark count 1 each. Another candidate is chosen if its
  /// score is higher than that of the first by at least as much.
  private static let minGain = 3
  private static let numbers: [Substring: Substring] = [
    "0": "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "10": "ten", "11": "eleven", "12": "twelve",
  ]
  private static let finalMarks: Set<Character> = [".", "?", "!", ",", ";", ":"]

  private struct Compound: Sendable {
    /// The spoken words, in lower case.
    let spoken: [String]
    /// The written words.
    let written: [String]
  }

  private let compounds: [Compound] = Self.compounds.map { compound in
    let words = compound.split(separator: " ").map(String.init)
    let spoken = words.flatMap { $0.split(separator: "-") }.map { part in
      part.lowercased().filter { $0 != "'" }
    }
    return Compound(spoken: spoken, written: words)
  }

  func choose(among candidates: [CandidateWords], after _: String?) -> Int? {
    guard let first = candidates.first,
      compounds.contains(where: { compound in first.tokens.contains { $0 == compound.spoken.last } })
    else { return nil }
    return best(among: candidates, gain: gain)
  }

  /// How much better the writing of `other` is; 0 if other words differ or it is not better by a compound.
  private func gain(_ first: CandidateWords, _ other: CandidateWords) -> Int {
    let (firstWords, firstScore) = Self.spoken(first.words)
    let (otherWords, otherScore) = Self.spoken(other.words)
    let count = replacements(in: firstWords, by: otherWords) { index, otherIndex in
      compounds.first { isWritten($0, firstWords, index, otherWords, otherIndex) }.map {
        (index + $0.spoken.count, otherIndex + $0.written.count)
      }
    }
    let gain = Self.minGain * count + otherScore - firstScore
    return gain >= Self.minGain ? gain : 0
  }

  /// The words without what is not spoken, and the score of what is left out: numbers as words, the first word without
  /// its capital letter, the last one without its final marks.
  private static func spoken(_ words: [Substring]) -> (words: [Substring], score: Int) {
    var spoken = words
    var score = 0
    if let last = spoken.last {
      let marks = last.reversed().prefix { finalMarks.contains($0) }.count
      if marks > 0, marks < last.count {
        spoken[spoken.count - 1] = last.dropLast(marks)
        score += 1
      }
    }
    // Not "AI" or "McGregor".
    if let word = spoken.first, word.first?.isUppercase == true,
      !word.dropFirst().contains(where: \.isUppercase)
    {
      spoken[0] = Substring(word.lowercased())
      score += 1
    }
    return (spoken.map { numbers[$0] ?? $0 }, score)
  }

  /// Whether `first` has the compound at `index` as separate words, and `other` has its preferred spelling at `otherIndex`
  /// with the same punctuation around it.
  private func isWritten(
    _ compound: Compound, _ first: [Substring], _ index: Int, _ other: [Substring], _ otherIndex: Int
  ) -> Bool {
    let said = index..<index + compound.spoken.count
    let written = otherIndex..<otherIndex + compound.written.count
    guard said.upperBound <= first.count, written.upperBound <= other.count else { return false }
    let before = first[said].joined(separator: " ")
    let after = other[written].joined(separator: " ").replacing("\u{2019}", with: "'")
    let target = compound.written.joined(separator: " ")
    // The punctuation around the compound and its first capital letter must not change.
    let lead = String(before.prefix { !$0.isLetter })
    let trail = String(String(before.reversed()).prefix { !$0.isLetter }.reversed())
    // Words with punctuation between them are not the compound.
    let core = before.dropFirst(lead.count).dropLast(trail.count).lowercased()
    guard core == compound.spoken.joined(separator: " ") else { return false }
    if after == "\(lead)\(target)\(trail)" { return true }
    let isCapital = before.dropFirst(lead.count).first?.isUppercase ?? false
    return isCapital && after == "\(lead)\(target.prefix(1).uppercased())\(target.dropFirst())\(trail)"
  }
}
