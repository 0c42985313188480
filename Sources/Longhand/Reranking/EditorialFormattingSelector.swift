/// Prefers a candidate that says the same and writes compounds of a deliberate list as they are to be written.
///
/// `a two day trip` gives way to `a two-day trip` where that is a candidate. Whatever is not on the list stays as the
/// recognizer's first choice has it, and nothing else may differ between the two.
struct EditorialFormattingSelector: CandidateSelector {
  /// The compounds, as they are to be written.
  static let compounds = ["two-day", "entry-level", "high-level", "AI-generated", "years' experience"]

  let rule = RerankingRule.editorialFormatting

  private struct Compound: Sendable {
    /// What is said, word by word.
    let spoken: [String]
    /// How it is written, word by word.
    let written: [String]
  }

  private let compounds: [Compound] = Self.compounds.map { compound in
    let words = compound.split(separator: " ").map(String.init)
    let spoken = words.flatMap { $0.split(separator: "-") }.map { part in
      part.lowercased().filter { $0 != "'" }
    }
    return Compound(spoken: spoken, written: words)
  }

  func choose(among readings: [CandidateWords]) -> Int? {
    guard let first = readings.first,
      compounds.contains(where: { compound in first.tokens.contains(compound.spoken[0]) })
    else { return nil }
    return best(among: readings, gain: gain)
  }

  /// How many compounds `other` writes better; 0 if anything else differs.
  private func gain(_ first: CandidateWords, _ other: CandidateWords) -> Int {
    replacements(in: first, by: other) { position, place in
      compounds.first { isWritten($0, first, position, other, place) }.map {
        (position + $0.spoken.count, place + $0.written.count)
      }
    }
  }

  /// Whether `first` says the compound at `position` in plain words, and `other` writes it at `place` with the same
  /// marks around it.
  private func isWritten(
    _ compound: Compound, _ first: CandidateWords, _ position: Int, _ other: CandidateWords, _ place: Int
  ) -> Bool {
    let said = position..<position + compound.spoken.count
    let written = place..<place + compound.written.count
    guard said.upperBound <= first.words.count, written.upperBound <= other.words.count,
      first.tokens[said].elementsEqual(compound.spoken)
    else { return false }
    let before = first.words[said].joined(separator: " ")
    let after = other.words[written].joined(separator: " ").replacing("\u{2019}", with: "'")
    let target = compound.written.joined(separator: " ")
    // The marks around it and the capital at its beginning stay as they are.
    let lead = String(before.prefix { !$0.isLetter })
    let trail = String(String(before.reversed()).prefix { !$0.isLetter }.reversed())
    // Marks between the words part them.
    let core = before.dropFirst(lead.count).dropLast(trail.count).lowercased()
    guard core == compound.spoken.joined(separator: " ") else { return false }
    if after == "\(lead)\(target)\(trail)" { return true }
    let isCapital = before.dropFirst(lead.count).first?.isUppercase ?? false
    return isCapital && after == "\(lead)\(target.prefix(1).uppercased())\(target.dropFirst())\(trail)"
  }
}
