/// How often sequences of up to three words are said, gathered phrase by phrase.
///
/// Memory grows with the distinct sequences, not with the phrases.
public struct NGramCounts {
  /// The most distinct words.
  public static let mostWords = 1 << 21 - 3

  /// There are too many distinct words.
  public struct TooManyWords: Error {}

  /// A word's place in `words`.
  typealias Word = UInt64

  /// One to three words, packed so that sorting sorts by the first word, then the second, then the third.
  struct Sequence {
    var key: UInt64
    var count: Double
  }

  static let begin: Word = 1
  static let end: Word = 2
  static let bits: UInt64 = 21
  static let mask: UInt64 = 1 << bits - 1
  /// How many sequences are gathered before equal ones are merged.
  private static let batch = 1 << 20

  /// All words: the unknown one, the beginning and the end of a phrase, and those that were said.
  private(set) var words = ["<unk>", "<s>", "</s>"]
  private var places: [String: Word] = [:]
  private var merged: [Sequence] = []
  private var waiting: [Sequence] = []
  /// The greatest number that divides every count.
  private(set) var unit = 0

  /// Nothing counted yet.
  public init() {}

  /// Whether nothing was counted.
  public var isEmpty: Bool { merged.isEmpty && waiting.isEmpty }

  /// Counts a phrase.
  /// - Parameter count: at least 1.
  public mutating func add(_ phrase: [String], count: Int = 1) throws(TooManyWords) {
    guard !phrase.isEmpty else { return }
    var (first, second) = (Self.begin, try place(of: phrase[0]))
    for word in phrase.dropFirst() {
      let third = try place(of: word)
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

  private mutating func place(of word: String) throws(TooManyWords) -> Word {
    if let place = places[word] { return place }
    guard words.count < Self.mostWords else { throw TooManyWords() }
    places[word] = Word(words.count)
    words.append(word)
    return Word(words.count - 1)
  }

  private mutating func merge() {
    guard !waiting.isEmpty else { return }
    merged = Self.merged(merged + waiting)
    waiting = []
  }

  /// Equal sequences as one, sorted.
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
