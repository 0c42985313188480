/// A convention that prefers one candidate to the recognizer's first. It can name a candidate and write nothing.
protocol CandidateSelector: Sendable {
  /// The rule that its choice is recorded as.
  var rule: RerankingRule { get }

  /// The place of the reading that is to be chosen instead of the first; nil if the first stands.
  ///
  /// The same readings always have the same answer.
  func choose(among readings: [CandidateWords]) -> Int?
}

extension CandidateSelector {
  /// The reading with the highest gain over the first; the earliest of several, nil if none has any.
  func best(
    among readings: [CandidateWords], gain: (_ first: CandidateWords, _ other: CandidateWords) -> Int
  ) -> Int? {
    guard let first = readings.first else { return nil }
    var best: (place: Int, gain: Int)?
    for place in readings.indices.dropFirst() {
      let gain = gain(first, readings[place])
      if gain > best?.gain ?? 0 { best = (place, gain) }
    }
    return best?.place
  }

  /// At how many places `other` has something for what `first` has, where they are otherwise equal; 0 if anything else
  /// differs.
  ///
  /// - Parameter ends: where the next words of both differ, gives the words after what stands for each other; nil if
  ///   nothing does.
  func replacements(
    in first: CandidateWords, by other: CandidateWords,
    ends: (_ position: Int, _ place: Int) -> (Int, Int)?
  ) -> Int {
    var (position, place, count) = (0, 0, 0)
    while position < first.words.count, place < other.words.count {
      if first.words[position] == other.words[place] {
        (position, place) = (position + 1, place + 1)
      } else if let after = ends(position, place) {
        (position, place) = after
        count += 1
      } else {
        return 0
      }
    }
    return position == first.words.count && place == other.words.count ? count : 0
  }
}
