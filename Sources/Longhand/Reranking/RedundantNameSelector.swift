/// Prefers a candidate that lacks the beginning of a name that was heard twice: `Villa Villanova` gives way to
/// `Villanova` where that is a candidate with everything else the same.
///
/// The word that goes must be written with a capital and sound like the beginning of the capitalised name that follows,
/// and that beginning must be at least five letters long and go on for at least three. Names that people do bear stay:
/// `Robert Robertson`, `Peter Peters`, `South Southampton`.
///
/// Two spellings sound alike here when they are the same after doubled letters are written once and `ph`, `c`, `q`,
/// `y` and `z` as `f`, `k`, `k`, `i` and `s`.
struct RedundantNameSelector: CandidateSelector {
  let rule = RerankingRule.redundantName

  private static let shortestBeginning = 5
  private static let shortestRest = 3
  /// What makes a family's name of a given name.
  private static let familyEndings: Set<String> = [
    "son", "sons", "sen", "sson", "ssen", "ovic", "ovich", "escu", "iams", "kin", "kins", "ton", "man",
    "sdottir",
  ]
  private static let directions: Set<String> = [
    "north", "south", "west", "upper", "lower", "great", "little",
  ]

  func choose(among readings: [CandidateWords]) -> Int? { best(among: readings, gain: gain) }

  private func gain(_ first: CandidateWords, _ other: CandidateWords) -> Int {
    guard first.words.count == other.words.count + 1,
      let dropped = other.words.indices.first(where: { first.words[$0] != other.words[$0] })
        ?? other.words.indices.last.map({ $0 + 1 }),
      first.words[(dropped + 1)...] == other.words[dropped...],
      dropped + 1 < first.words.count
    else { return 0 }
    return isRedundant(first, at: dropped) ? 1 : 0
  }

  private func isRedundant(_ reading: CandidateWords, at index: Int) -> Bool {
    let word = reading.words[index]
    let name = reading.tokens[index + 1]
    // Letters alone: a mark after the word parts it from the name.
    guard word.first?.isUppercase == true, reading.words[index + 1].first?.isUppercase == true,
      word.allSatisfy(\.isLetter), !Self.directions.contains(reading.tokens[index])
    else { return false }
    let sound = Self.sound(of: reading.tokens[index])
    let longest = name.count - Self.shortestRest
    guard longest >= Self.shortestBeginning else { return false }
    return (Self.shortestBeginning...longest).contains { length in
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
