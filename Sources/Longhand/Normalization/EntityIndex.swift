/// The names that are looked for, laid out so that few have to be compared with any words of a text.
struct EntityIndex: Sendable {
  /// A name that words may sound like.
  struct Entry: Sendable {
    /// The place in the names.
    let entity: Int32
    let wordCount: Int32
    let letters: Range<Int>
    let sounds: Range<Int>
    /// What the sounds weigh, see `PhoneticDistance`.
    let weight: Int32
  }

  /// What is compared first, close together.
  struct Place: Sendable {
    let skeleton: ConsonantKey
    /// The place in `entries`.
    let entry: Int32
    /// The fewest and the most words that may stand for the name.
    let words: ClosedRange<Int8>
  }

  /// The letters of all names.
  private(set) var letters: [UInt8] = []
  /// The sounds of all names.
  private(set) var sounds: [UInt8] = []
  /// The names that words may sound like.
  private(set) var entries: [Entry] = []
  /// For each key of a skeleton and each number of consonants the names that have them.
  private(set) var places: [Place] = []
  /// Where in `places` those of each begin, and the end.
  private var placeStarts: [Int] = []
  /// The largest number of consonants of a name.
  private var mostConsonants = 0
  /// The largest number of words of a name.
  private(set) var mostWords = 0

  /// The numbers of the names' words, by their letters.
  private var wordNumbers: [String: Int32] = [:]
  /// From the words before (0 at the beginning) and a word to the words together.
  private var steps: [Step: Int32] = [:]
  /// The names that end after those words.
  private var ends: [Int32: Int] = [:]

  private struct Step: Hashable {
    let from: Int32
    let word: Int32
  }

  init(_ names: [String], shortest: Int) {
    let distance = PhoneticDistance()
    var known: Set<[UInt8]> = []
    var skeletons: [ConsonantKey] = []
    for (entity, name) in names.enumerated() {
      let text = SpokenText(name)
      guard text.count > 0 else { continue }
      mostWords = max(mostWords, text.count)
      insert(text, entity)
      let own = Array(text.letters(0..<text.count))
      // Of names that are written alike the first stands.
      guard own.count >= shortest, known.insert(own).inserted else { continue }
      let skeleton = ConsonantKey(text.sounds(0..<text.count))
      guard skeleton.count >= 3 else { continue }
      let entry = Entry(
        entity: Int32(entity), wordCount: Int32(text.count),
        letters: letters.count..<letters.count + own.count,
        sounds: sounds.count..<sounds.count + text.sounds.count,
        weight: Int32(distance.weight(of: text.sounds)))
      letters += own
      sounds += text.sounds
      entries.append(entry)
      skeletons.append(skeleton)
    }
    place(skeletons)
  }

  private mutating func place(_ skeletons: [ConsonantKey]) {
    mostConsonants = skeletons.map(\.count).max() ?? 0
    var buckets: [[Place]] = Array(repeating: [], count: ConsonantKey.keyCount * (mostConsonants + 1))
    for (number, skeleton) in skeletons.enumerated() {
      let count = Int(entries[number].wordCount)
      let most = count + EntityComparison.mostWordsMore(letters: entries[number].letters.count)
      let place = Place(
        skeleton: skeleton, entry: Int32(number),
        words: Int8(clamping: max(1, count - 1))...Int8(clamping: most))
      buckets[skeleton.firstKey * (mostConsonants + 1) + skeleton.count].append(place)
      buckets[skeleton.lastKey * (mostConsonants + 1) + skeleton.count].append(place)
    }
    placeStarts = [0]
    for bucket in buckets {
      places += bucket
      placeStarts.append(places.count)
    }
  }

  /// The places of the names with a key and so many consonants.
  func places(key: Int, counts: ClosedRange<Int>) -> Range<Int> {
    let base = key * (mostConsonants + 1)
    let (least, most) = (max(0, counts.lowerBound), min(counts.upperBound, mostConsonants))
    guard least <= most else { return 0..<0 }
    return placeStarts[base + least]..<placeStarts[base + most + 1]
  }

  /// How many of so many consonants may be misheard. Of many names more are alike, so that each must be nearer.
  func slack(_ count: Int) -> Int { max(1, (count + (entries.count > Self.many ? 0 : 2)) / 4) }

  private static let many = 2000

  private mutating func insert(_ text: SpokenText, _ entity: Int) {
    var node: Int32 = 0
    for index in 0..<text.count {
      let word = text.word(index)
      let number = wordNumbers[word] ?? Int32(wordNumbers.count)
      wordNumbers[word] = number
      let step = Step(from: node, word: number)
      node = steps[step] ?? Int32(steps.count + 1)
      steps[step] = node
    }
    if ends[node] == nil { ends[node] = entity }
  }

  /// The number of a word that names have; nil for any other.
  func number(of word: String) -> Int32? { wordNumbers[word] }

  /// The names that stand at a word, from the shortest.
  /// - Parameters:
  ///   - numbers: of the text's words.
  ///   - possessives: of the text's words without an `s` of possession.
  func names(at start: Int, _ numbers: [Int32?], _ possessives: [Int32?]) -> [(
    entity: Int, words: Int, isCut: Bool
  )] {
    var found: [(entity: Int, words: Int, isCut: Bool)] = []
    var node: Int32 = 0
    var index = start
    while index < numbers.count {
      if let word = possessives[index], let last = steps[Step(from: node, word: word)],
        let entity = ends[last]
      {
        found.append((entity, index + 1 - start, true))
      }
      guard let word = numbers[index], let next = steps[Step(from: node, word: word)] else { break }
      node = next
      index += 1
      if let entity = ends[node] { found.append((entity, index - start, false)) }
    }
    return found
  }
}
