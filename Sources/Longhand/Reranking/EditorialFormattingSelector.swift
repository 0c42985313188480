/// Prefers a candidate with the same words that has the preferred spelling of a compound.
///
/// For example, it prefers `a two-day trip` to `a two day trip`. Only the compounds of a short list count, and all other
/// words must be equal.
struct EditorialFormattingSelector: CandidateSelector {
  /// The compounds in their preferred spelling.
  static let compounds = ["two-day", "entry-level", "high-level", "AI-generated", "years' experience"]

  let rule = RerankingRule.editorialFormatting

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

  func choose(among candidates: [CandidateWords]) -> Int? {
    guard let first = candidates.first,
      compounds.contains(where: { compound in first.tokens.contains(compound.spoken[0]) })
    else { return nil }
    return best(among: candidates, gain: gain)
  }

  /// The number of compounds with the preferred spelling in `other` only; 0 if other words differ.
  private func gain(_ first: CandidateWords, _ other: CandidateWords) -> Int {
    replacements(in: first, by: other) { index, otherIndex in
      compounds.first { isWritten($0, first, index, other, otherIndex) }.map {
        (index + $0.spoken.count, otherIndex + $0.written.count)
      }
    }
  }

  /// Whether `first` has the compound at `index` as separate words, and `other` has its preferred spelling at `otherIndex`
  /// with the same punctuation around it.
  private func isWritten(
    _ compound: Compound, _ first: CandidateWords, _ index: Int, _ other: CandidateWords, _ otherIndex: Int
  ) -> Bool {
    let said = index..<index + compound.spoken.count
    let written = otherIndex..<otherIndex + compound.written.count
    guard said.upperBound <= first.words.count, written.upperBound <= other.words.count,
      first.tokens[said].elementsEqual(compound.spoken)
    else { return false }
    let before = first.words[said].joined(separator: " ")
    let after = other.words[written].joined(separator: " ").replacing("\u{2019}", with: "'")
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
