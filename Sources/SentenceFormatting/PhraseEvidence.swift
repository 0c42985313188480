import Foundation

/// What the words around a place say about a mark there: the logarithms of the odds that a sentence ends there, and that
/// there is any mark.
///
/// `Benchmarks/Sentences/text.py` fits them on English books in the public domain and writes `boundaries.txt`: in the first
/// line the known words, and in each other one a phrase, in which "|" is the place, "*" any word and "^" no word, with two
/// weights in tenths.
struct PhraseEvidence: Sendable {
  typealias Odds = (end: Double, mark: Double)

  private struct Table {
    var known: Set<String> = []
    var weights: [String: Odds] = [:]

    init(_ text: String) {
      // By bytes: it is read whenever a program writes its first sentence.
      let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
      known = EnglishWords.words(lines.first ?? "")
      weights.reserveCapacity(lines.count)
      for line in lines.dropFirst() {
        guard let last = line.utf8.lastIndex(of: UInt8(ascii: " ")),
          let middle = line.utf8[..<last].lastIndex(of: UInt8(ascii: " ")),
          let end = Int(line[line.utf8.index(after: middle)..<last]),
          let mark = Int(line[line.utf8.index(after: last)...])
        else { continue }
        weights[String(line[..<middle])] = (Double(end) / 10, Double(mark) / 10)
      }
    }
  }

  private static let table = Table(String(decoding: PackageResources.boundaries_txt, as: UTF8.self))
  /// How words count that are not known.
  private static let endings = ["ly", "ing", "ed", "tion", "ness", "er", "est", "s"]

  /// The two words before the last one.
  private var before = ("^", "^")

  /// The odds after a word.
  /// - Parameters:
  ///   - word: the word before the place, in lower case.
  ///   - next: the word after it, in lower case; nil if it is too far away to count.
  mutating func take(_ word: String, next: String?) -> Odds {
    let (first, second, third) = (before.0, before.1, Self.key(word))
    before = (second, third)
    var phrases = ["=", "\(third) |", "\(second) * |", "\(second) \(third) |", "\(first) * * |"]
    if let next = next.map(Self.key) {
      phrases += ["| \(next)", "\(third) | \(next)", "\(second) * | \(next)"]
    }
    return phrases.reduce(into: (0, 0)) { odds, phrase in
      guard let weight = Self.table.weights[phrase] else { return }
      odds = (odds.end + weight.end, odds.mark + weight.mark)
    }
  }

  /// A known word, or the class of another one by its ending.
  private static func key(_ word: String) -> String {
    if table.known.contains(word) { return word }
    return "#" + (endings.first { word.hasSuffix($0) && word.count > $0.count + 1 } ?? "")
  }
}
