/// The counts of sequences of up to three words, added phrase by phrase.
///
/// Memory grows with the number of distinct sequences, not with the number of phrases.
public struct NGramCounts {
  /// The largest number of distinct words.
  public static let maxWords = 1 << 21 - 3

  /// The phrases have more than `maxWords` distinct words.
  public struct TooManyWords: Error {}

  /// The index of a word in `words`.
  typealias Word = UInt64

  /// One to three words, packed so that the order of keys is the order of the first, the second and the third word.
  struct Sequence {
    var key: UInt64
    var count: Double
  }

  static let begin: Word = 1
  static let end: Word = 2
  static let bits: UInt64 = 21
  static let mask: UInt64 = 1 << bits - 1
  /// The number of sequences that are collected before equal ones are merged.
  private static let batch = 1 << 20

  /// All words: the unknown word, the start and the end of a phrase, and the words of the phrases.
  private(set) var words = ["<unk>", "<s>", "</s>"]
  private var indices: [String: Word] = [:]
  private var merged: [Sequence] = []
  private var waiting: [Sequence] = []
  /// The greatest number that divides every count.
  private(set) var unit = 0

  /// Creates empty counts.
  public init() {}

  /// Whether no phrase was counted.
  public var isEmpty: Bool { merged.isEmpty && waiting.isEmpty }

  /// Counts a phrase.
  /// - Parameter count: at least 1.
  public mutating func add(_ phrase: [String], count: Int = 1) throws(TooManyWords) {
    guard !phrase.isEmpty else { return }
    var (first, second) = (Self.begin, try index(of: phrase[0]))
    for word in phrase.dropFirst() {
      let third = try index(of: word)
      waiting.append(Sequence(key: Self.key(first, second, third), count: Double(count)))
      (first, second) = (second, third)
    }
    waiting.append(Sequence(key: Self.key(first, second, Self.end), count: Double(count)))
    unit = Self.greatestCommonDivisor(unit, count)
    if waiting.count >= Self.batch { merge() }
  }

  /// The distinct sequences of three words, sorted.
  mutating func trigrams() -> [Sequence] {
    merge()
    return merged
  }

  static func key(_ first: Word, _ second: Word, _ third: Word) -> UInt64 {
    first << (2 * bits) | second << bits | third
  }

  private mutating func index(of word: String) throws(TooManyWords) -> Word {
    if let index = indices[word] { return index }
    guard words.count < Self.maxWords else { throw TooManyWords() }
    indices[word] = Word(words.count)
    words.append(word)
    return Word(words.count - 1)
  }

  private mutating func merge() {
    guard !waiting.isEmpty else { return }
    merged = Self.merged(merged + waiting)
    waiting = []
  }

  /// Merges equal sequences and sorts them.
  static func merged(_ sequences: [Sequence]) -> [Sequence] {
    let sorted = sequences.sorted { $0.key < $1.key }
    var result: [Sequence] = []
    for sequence in sorted {
      if let last = result.last, last.key == sequence.key {
        result[result.count - 1].count += sequence.count
      } else {
        result.append(sequence)
      }
    }
    return result
  }

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
