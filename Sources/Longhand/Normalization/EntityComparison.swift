/// Compares windows of words with the names of an index.
struct EntityComparison {
  /// How many words more than a name has a recognizer may have made of it.
  static func mostWordsMore(letters: Int) -> Int { letters >= 10 ? 3 : 2 }

  private let index: EntityIndex
  private var sounds = PhoneticDistance()
  private var letters = LetterDistance()
  /// The window that each entry was compared with last, so that none is compared twice.
  private var seen: [Int32]
  private var window: Int32 = 0
  private var near: [Int32] = []

  init(index: EntityIndex) {
    self.index = index
    seen = Array(repeating: -1, count: index.entries.count)
  }

  /// Appends the names that a window is near.
  mutating func compare(
    _ text: SpokenText, _ words: Range<Int>, _ skeleton: ConsonantKey, commonWords: Int,
    into found: inout [EntityMatch]
  ) {
    guard skeleton.count >= 2 else { return }
    window += 1
    let pattern = ConsonantKeyPattern(skeleton)
    // Words that everybody uses must have all consonants of a name.
    let slack = commonWords == words.count ? 0 : index.slack(skeleton.count)
    let width = Int8(clamping: words.count)
    near.removeAll(keepingCapacity: true)
    for key in [skeleton.firstKey, skeleton.lastKey] {
      let range = index.places(key: key, counts: skeleton.count - slack...skeleton.count + slack)
      index.places.withUnsafeBufferPointer { places in
        for place in places[range] {
          // The cheapest test first: each consonant more or less can be no replaced one.
          let allowed = 2 * slack - abs(place.skeleton.count - skeleton.count)
          if place.skeleton.difference(skeleton) <= allowed, place.words.contains(width),
            pattern.distance(place.skeleton) <= slack
          {
            near.append(place.entry)
          }
        }
      }
    }
    for number in near where seen[Int(number)] != window {
      seen[Int(number)] = window
      let entry = index.entries[Int(number)]
      guard let score = score(of: text, words, as: entry, commonWords: commonWords) else { continue }
      let first = text.places[words.lowerBound].lowerBound
      let last = text.places[words.upperBound - 1].upperBound
      found.append(
        EntityMatch(
          entity: Int(entry.entity), range: first..<last, score: score, isExact: false, words: words))
    }
  }

  /// How well a window stands for a name, 0 to 1; nil if not well enough to be taken for it.
  mutating func score(
    of text: SpokenText, _ words: Range<Int>, as entry: EntityIndex.Entry, commonWords: Int
  ) -> Double? {
    let least = Self.threshold(entry, words: words.count, commonWords: commonWords)
    let heard = text.sounds(words)
    let weight = max(Int(entry.weight), sounds.weight(of: heard))
    // Letters can make up for a little, and no more.
    let most = Int(Double(weight) * (1 - least + 0.05))
    guard let distance = sounds.distance(index.sounds[entry.sounds], heard, most: most) else { return nil }
    let alike = 1 - Double(distance) / Double(weight)
    let written = letters.likeness(index.letters[entry.letters], text.letters(words))
    let score = (1 - Self.letterShare) * alike + Self.letterShare * written
    return score >= least ? score : nil
  }

  /// How much of a score letters are.
  private static let letterShare = 0.25

  /// The least score at which words are taken for a name.
  private static func threshold(_ entry: EntityIndex.Entry, words: Int, commonWords: Int) -> Double {
    var least = 0.65 + 0.05 * Double(max(0, 9 - entry.letters.count))
    // A recognizer that writes one word for one heard something like that word.
    if words <= Int(entry.wordCount) { least += 0.12 }
    if commonWords == words { least += 0.1 }
    return min(least, 0.95)
  }
}
