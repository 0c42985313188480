import CWords
import Foundation

/// What the words around a place say about a mark there: the logarithms of the odds that a sentence ends there, and that
/// there is any mark.
///
/// `Benchmarks/Sentences/text.py` fits them on English books in the public domain and writes `boundaries.txt`: in the first
/// line the known words, and in each other one a phrase, in which "|" is the place, "*" any word and "^" no word, with two
/// weights in tenths.
struct PhraseEvidence: Sendable {
  typealias Odds = (end: Double, mark: Double)

  private static let table = PhraseTable(String(cString: boundaries_text()))

  /// The two words before the last one.
  private var before = (PhraseTable.start, PhraseTable.start)
  /// The word after the last place; it is before the next one.
  private var next: (text: String, key: PhraseTable.Key)?

  /// Whether there is often a mark before a word in lower case.
  static func followsMarks(_ word: String) -> Bool {
    let odds = table.odds(PhraseTable.place, table.key(word))
    return max(odds.end, odds.mark) >= 1
  }

  /// The odds after a word.
  /// - Parameters:
  ///   - word: the word before the place, in lower case.
  ///   - next: the word after it, in lower case; nil if it is too far away to count.
  mutating func take(_ word: String, next text: String?) -> Odds {
    let (table, any, place) = (Self.table, PhraseTable.any, PhraseTable.place)
    let (first, second) = before
    let third = next?.text == word ? next?.key ?? table.key(word) : table.key(word)
    next = text.map { ($0, table.key($0)) }
    before = (second, third)
    var odds = table.odds(PhraseTable.bias)
    func add(_ other: Odds) { odds = (odds.end + other.end, odds.mark + other.mark) }
    add(table.odds(third, place))
    add(table.odds(second, any, place))
    add(table.odds(second, third, place))
    add(table.odds(first, any, any, place))
    if let next = next?.key {
      add(table.odds(place, next))
      add(table.odds(third, place, next))
      add(table.odds(second, any, place, next))
    }
    return odds
  }
}

/// The phrases of `boundaries.txt`. A word, a class of words or a sign is a number of 12 bits, so that a phrase is a number
/// too: a text as a key would take most of the time in which sentences are written.
struct PhraseTable: Sendable {
  typealias Key = UInt64

  /// "^", no word.
  static let start: Key = 1
  /// "*", any word.
  static let any: Key = 2
  /// "|", the place.
  static let place: Key = 3
  /// "=", what holds everywhere.
  static let bias: Key = 4
  /// How words count that are not known.
  private static let endings = ["", "ly", "ing", "ed", "tion", "ness", "er", "est", "s"]
  private static let firstEnding: Key = 5

  private var keys: [String: Key] = [:]
  private var known: Range<Key> = 0..<0
  private var weights: [Key: PhraseEvidence.Odds] = [:]

  init(_ text: String) {
    for sign in ["^", "*", "|", "="] + Self.endings.map({ "#" + $0 }) { add(sign) }
    // By bytes: a program reads it before it writes its first sentence.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
    weights.reserveCapacity(lines.count)
    for (index, line) in lines.enumerated() {
      let parts = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      if index == 0 {
        let first = Key(keys.count + 1)
        for word in parts { add(word) }
        known = first..<Key(keys.count + 1)
      } else if (3...6).contains(parts.count), let end = Int(parts[parts.count - 2]),
        let mark = Int(parts[parts.count - 1])
      {
        let phrase = parts.dropLast(2).compactMap { keys[$0] } + [0, 0, 0]
        weights[Self.phrase(phrase[0], phrase[1], phrase[2], phrase[3])] = (
          Double(end) / 10, Double(mark) / 10
        )
      }
    }
  }

  /// A known word, or the class of another one by its ending.
  func key(_ word: String) -> Key {
    if let key = keys[word], known.contains(key) { return key }
    let ending = Self.endings.indices.dropFirst().first {
      word.hasSuffix(Self.endings[$0]) && word.count > Self.endings[$0].count + 1
    }
    return Self.firstEnding + Key(ending ?? 0)
  }

  func odds(_ first: Key, _ second: Key = 0, _ third: Key = 0, _ fourth: Key = 0) -> PhraseEvidence.Odds {
    weights[Self.phrase(first, second, third, fourth)] ?? (0, 0)
  }

  private mutating func add(_ text: String) {
    if keys[text] == nil { keys[text] = Key(keys.count + 1) }
  }

  private static func phrase(_ first: Key, _ second: Key, _ third: Key, _ fourth: Key) -> Key {
    first << 36 | second << 24 | third << 12 | fourth
  }
}
