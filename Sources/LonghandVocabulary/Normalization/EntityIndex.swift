import LonghandTranscripts

/// The names to find, arranged so that only a few have to be compared with each window of words.
struct EntityIndex: Sendable {
  /// A name that can be matched by its sounds.
  struct Entry: Sendable {
    /// The index in the list of names.
    let entity: Int32
    let wordCount: Int32
    /// The range in `EntityIndex.letters`.
    let letters: Range<Int>
    /// The range in `EntityIndex.sounds`.
    let sounds: Range<Int>
    /// The distance of the sounds from none, see `PhoneticDistance`.
    let weight: Int32
  }

  /// The part of an entry that is compared first, kept small so that many fit into the processor's cache.
  struct KeyedEntry: Sendable {
    let key: ConsonantKey
    /// The index in `entries`.
    let entry: Int32
    /// The numbers of words that may match the name.
    let words: ClosedRange<Int8>
  }

  /// The letters of all names.
  private(set) var letters: [UInt8] = []
  /// The sounds of all names.
  private(set) var sounds: [UInt8] = []
  /// The names that can be matched by their sounds.
  private(set) var entries: [Entry] = []
  /// The entries by lookup key and number of consonants.
  private(set) var keyed: [KeyedEntry] = []
  /// The index in `keyed` at which each group starts, and the end.
  private var groupStarts: [Int] = []
  /// The largest number of consonants of a name.
  private var maxConsonants = 0
  /// The largest number of words of a name that can be matched by its sounds.
  private(set) var maxWords = 0

  /// A number for each word of the names, by its spelling.
  private var wordNumbers: [String: Int32] = [:]
  /// The names as a trie: from a node (0 is the root) and a word to the next node.
  private var steps: [Step: Int32] = [:]
  /// The name that ends at a node.
  private var ends: [Int32: Int] = [:]
  /// The name with accents that ends at a node if it is written without them.
  private var plainEnds: [Int32: Int] = [:]

  private struct Step: Hashable {
    let from: Int32
    let word: Int32
  }

  /// - Parameters:
  ///   - minLetters: names with fewer letters have no entry.
  ///   - isCommonWord: whether a word, in plain lower-case letters, is common. A name that without its accents is made of common
  ///     words has no entry and is not found without them: `Chargé` is not `charge`.
  init(_ names: [String], minLetters: Int, isCommonWord: (String) -> Bool) {
    let distance = PhoneticDistance()
    var known: Set<[UInt8]> = []
    var keys: [ConsonantKey] = []
    for (entity, name) in names.enumerated() {
      let text = SpokenText(name)
      guard text.count > 0 else { continue }
      let (spelling, plain) = ((0..<text.count).map(text.spelling), (0..<text.count).map(text.word))
      let end = node(of: spelling)
      if ends[end] == nil { ends[end] = entity }
      if plain != spelling {
        guard !plain.allSatisfy(isCommonWord) else { continue }
        if plain.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) {
          let plainEnd = node(of: plain)
          if plainEnds[plainEnd] == nil { plainEnds[plainEnd] = entity }
        }
      }
      guard !text.isUnspaced.contains(true) else { continue }
      let own = Array(text.letters(0..<text.count))
      // The first of several names with the same letters counts.
      guard own.count >= minLetters, known.insert(own).inserted else { continue }
      let key = ConsonantKey(text.sounds(0..<text.count))
      guard key.count >= 3 else { continue }
      let entry = Entry(
        entity: Int32(entity), wordCount: Int32(text.count),
        letters: letters.count..<letters.count + own.count,
        sounds: sounds.count..<sounds.count + text.sounds.count,
        weight: Int32(distance.weight(of: text.sounds[...])))
      letters += own
      sounds += text.sounds
      entries.append(entry)
      maxWords = max(maxWords, text.count)
      keys.append(key)
    }
    group(keys)
  }

  private mutating func group(_ keys: [ConsonantKey]) {
    maxConsonants = keys.map(\.count).max() ?? 0
    var groups: [[KeyedEntry]] = Array(repeating: [], count: ConsonantKey.keyCount * (maxConsonants + 1))
    for (number, key) in keys.enumerated() {
      let count = Int(entries[number].wordCount)
      let maxWords = count + EntityComparison.maxExtraWords(letters: entries[number].letters.count)
      let candidate = KeyedEntry(
        key: key, entry: Int32(number),
        words: Int8(clamping: max(1, count - 1))...Int8(clamping: maxWords))
      groups[key.firstKey * (maxConsonants + 1) + key.count].append(candidate)
      groups[key.lastKey * (maxConsonants + 1) + key.count].append(candidate)
    }
    groupStarts = [0]
    for group in groups {
      keyed += group
      groupStarts.append(keyed.count)
    }
  }

  /// The range in `keyed` of the names with a lookup key and a number of consonants.
  func keyedEntries(_ key: Int, counts: ClosedRange<Int>) -> Range<Int> {
    let base = key * (maxConsonants + 1)
    let (least, most) = (max(0, counts.lowerBound), min(counts.upperBound, maxConsonants))
    guard least <= most else { return 0..<0 }
    return groupStarts[base + least]..<groupStarts[base + most + 1]
  }

  /// How many of the consonants may differ. Among many names more are alike, so each must match more closely.
  func tolerance(consonants count: Int) -> Int {
    max(1, (count + (entries.count > Self.manyNames ? 0 : 2)) / 4)
  }

  private static let manyNames = 2000

  /// The node at which a list of words ends, which is made if it is missing.
  private mutating func node(of words: [String]) -> Int32 {
    var node: Int32 = 0
    for word in words {
      let number = wordNumbers[word] ?? Int32(wordNumbers.count)
      wordNumbers[word] = number
      let step = Step(from: node, word: number)
      node = steps[step] ?? Int32(steps.count + 1)
      steps[step] = node
    }
    return node
  }

  /// The name that is written with these words; nil if there is none.
  /// - Parameter isEnglish: whether it may be written without its accents.
  func name(_ words: ArraySlice<String>, isEnglish: Bool) -> Int? {
    var node: Int32 = 0
    for word in words {
      guard let number = wordNumbers[word], let next = steps[Step(from: node, word: number)] else {
        return nil
      }
      node = next
    }
    return name(at: node, isEnglish: isEnglish)
  }

  private func name(at node: Int32, isEnglish: Bool) -> Int? {
    ends[node] ?? (isEnglish ? plainEnds[node] : nil)
  }

  /// The number of a word that occurs in a name; nil for any other word.
  func number(of word: String) -> Int32? { wordNumbers[word] }

  /// The names that start at a word, the shortest first.
  /// - Parameters:
  ///   - numbers: the numbers of the text's words.
  ///   - possessives: the numbers of the text's words without a possessive `s`; nil for words without one.
  ///   - isEnglish: for each of the text's words whether it is English, where names may be written without their accents.
  func names(
    at start: Int, _ numbers: [Int32?], _ possessives: [Int32?], _ isEnglish: [Bool]
  ) -> [(entity: Int, words: Int, isPossessive: Bool)] {
    var found: [(entity: Int, words: Int, isPossessive: Bool)] = []
    var node: Int32 = 0
    var index = start
    var allowsPlain = true
    while index < numbers.count {
      allowsPlain = allowsPlain && isEnglish[index]
      if let word = possessives[index], let last = steps[Step(from: node, word: word)],
        let entity = name(at: last, isEnglish: allowsPlain)
      {
        found.append((entity, index + 1 - start, true))
      }
      guard let word = numbers[index], let next = steps[Step(from: node, word: word)] else { break }
      node = next
      index += 1
      if let entity = name(at: node, isEnglish: allowsPlain) { found.append((entity, index - start, false)) }
    }
    return found
  }
}
