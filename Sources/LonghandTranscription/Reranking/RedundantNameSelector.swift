import LonghandTranscripts

/// Prefers a candidate without a redundant first part of a name: `Villanova` to `Villa Villanova`, if all other words are
/// equal.
///
/// The redundant word must have a capital letter and sound like the beginning of the capitalized name after it. That
/// beginning must have at least five letters, and the rest of the name at least three. Real names are kept, such as
/// `Robert Robertson`, `Peter Peters` and `South Southampton`.
///
/// Two spellings sound alike if they are equal after double letters are written once, and `ph`, `c`, `q`, `y` and `z` are
/// written as `f`, `k`, `k`, `i` and `s`.
struct RedundantNameSelector: CandidateSelector {
  let rule = RerankingRule.redundantName

  /// Letters that sound like the redundant word, at least.
  private static let minBeginning = 5
  /// Letters of the name after them, at least.
  private static let minRest = 3
  /// The endings that turn a given name into a family name.
  private static let familyEndings: Set<String> = [
    "son", "sons", "sen", "sson", "ssen", "ovic", "ovich", "escu", "iams", "kin", "kins", "ton", "man",
    "sdottir",
  ]
  private static let directions: Set<String> = [
    "north", "south", "west", "upper", "lower", "great", "little",
  ]

  func choose(among candidates: [CandidateWords], after _: String?) -> Int? {
    guard let first = candidates.first else { return nil }
    return best(among: candidates) { gain(first, $0) }
  }

  private func gain(_ first: CandidateWords, _ other: CandidateWords) -> Int {
    guard first.words.count == other.words.count + 1,
      let dropped = other.words.indices.first(where: { first.words[$0] != other.words[$0] })
        ?? other.words.indices.last.map({ $0 + 1 }),
      first.words[(dropped + 1)...] == other.words[dropped...],
      dropped + 1 < first.words.count
    else { return 0 }
    return isRedundant(first, at: dropped) ? 1 : 0
  }

  private func isRedundant(_ candidate: CandidateWords, at index: Int) -> Bool {
    let word = candidate.words[index]
    let name = candidate.tokens[index + 1]
    // Letters only: punctuation after the word separates it from the name.
    guard word.first?.isUppercase == true, candidate.words[index + 1].first?.isUppercase == true,
      word.allSatisfy(\.isLetter), !Self.directions.contains(candidate.tokens[index])
    else { return false }
    let sound = Self.sound(of: candidate.tokens[index])
    let maxLength = name.count - Self.minRest
    guard maxLength >= Self.minBeginning else { return false }
    return (Self.minBeginning...maxLength).contains { length in
      Self.sound(of: String(name.prefix(length))) == sound
        && !Self.familyEndings.contains(String(name.dropFirst(length)))
    }
  }

  private static func sound(of word: String) -> [Character] {
    word.replacing("ph", with: "f").reduce(into: []) { sound, letter in
      let plain: Character =
        switch letter {
        case "c", "q": "k"
        case "y": "i"
        case "z": "s"
        default: letter
        }
      if sound.last != plain { sound.append(plain) }
    }
  }
}
