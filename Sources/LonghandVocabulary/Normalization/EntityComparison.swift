import LonghandTranscripts

/// Compares windows of words with the names in an index.
struct EntityComparison {
  /// The number of words that a recognizer may write for a name beyond the name's own.
  static func maxExtraWords(letters: Int) -> Int { letters >= 10 ? 3 : 2 }

  private let index: EntityIndex
  private var sounds = PhoneticDistance()
  private var letters = LetterDistance()
  /// The last window that each entry was compared with, so that none is compared twice.
  private var lastWindow: [Int32]
  private var window: Int32 = 0
  private var near: [Int32] = []

  init(index: EntityIndex) {
    self.index = index
    lastWindow = Array(repeating: -1, count: index.entries.count)
  }

  /// Appends the names that a window of words is near to.
  mutating func compare(
    _ text: SpokenText, _ words: Range<Int>, _ key: ConsonantKey, commonWords: Int,
    into matches: inout [EntityMatch]
  ) {
    guard key.count >= 2 else { return }
    window += 1
    let pattern = ConsonantKeyPattern(key)
    // A window of common words alone must have all consonants of the name.
    let tolerance = commonWords == words.count ? 0 : index.tolerance(consonants: key.count)
    let width = Int8(clamping: words.count)
    near.removeAll(keepingCapacity: true)
    for lookup in [key.firstKey, key.lastKey] {
      let range = index.keyedEntries(lookup, counts: key.count - tolerance...key.count + tolerance)
      index.keyed.withUnsafeBufferPointer { keyed in
        for candidate in keyed[range] {
          // The cheapest test first: a consonant that is inserted or removed cannot be a replaced one.
          let allowed = 2 * tolerance - abs(candidate.key.count - key.count)
          if candidate.key.minDifference(key) <= allowed, candidate.words.contains(width),
            pattern.distance(candidate.key) <= tolerance
          {
            near.append(candidate.entry)
          }
        }
      }
    }
    for number in near where lastWindow[Int(number)] != window {
      lastWindow[Int(number)] = window
      let entry = index.entries[Int(number)]
      // "half a card" is no "Half Guard": the words without the common ones are as many as the name has.
      let others = words.count - commonWords
      let nameWords = Int(entry.wordCount)
      guard commonWords == 0 || (nameWords == 1 ? others != 1 : others < nameWords) else { continue }
      guard let score = score(of: text, words, as: entry, commonWords: commonWords) else { continue }
      let first = text.byteRanges[words.lowerBound].lowerBound
      let last = text.byteRanges[words.upperBound - 1].upperBound
      matches.append(
        EntityMatch(
          entity: Int(entry.entity), range: first..<last, score: score, isExact: false, words: words))
    }
  }

  /// How well a window matches a name, 0 to 1; nil if not well enough.
  mutating func score(
    of text: SpokenText, _ words: Range<Int>, as entry: EntityIndex.Entry, commonWords: Int
  ) -> Double? {
    let least = Self.threshold(entry, words: words.count, commonWords: commonWords)
    let recognized = text.sounds(words)
    let weight = max(Int(entry.weight), sounds.weight(of: recognized))
    // Letters can make up for a small difference in sounds.
    let limit = Int32(truncatingIfNeeded: Int(clamping: Double(weight) * (1 - least + 0.05)))
    guard let distance = sounds.distance(from: index.sounds[entry.sounds], to: recognized, limit: limit)
    else { return nil }
    let soundScore = 1 - Double(distance) / Double(weight)
    let letterScore = letters.similarity(index.letters[entry.letters], text.letters(words))
    let score = (1 - Self.letterShare) * soundScore + Self.letterShare * letterScore
    return score >= least ? score : nil
  }

  /// The share of the letters in a score.
  private static let letterShare = 0.25

  /// The least score with which words match a name.
  private static func threshold(_ entry: EntityIndex.Entry, words: Int, commonWords: Int) -> Double {
    var least = 0.65 + 0.05 * Double(max(0, 9 - entry.letters.count))
    // If the recognizer wrote no more words than the name has, each word was probably said as it is written.
    if words <= Int(entry.wordCount) { least += 0.12 }
    if commonWords == words { least += 0.1 }
    return min(least, 0.95)
  }
}
