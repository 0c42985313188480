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
      let lines = text.split(separator: "\n")
      known = Set(lines.first?.split(separator: " ").map(String.init) ?? [])
      for line in lines.dropFirst() {
        let parts = line.split(separator: " ")
        guard parts.count > 2, let end = Double(parts[parts.count - 2]),
          let mark = Double(parts[parts.count - 1])
        else { continue }
        weights[parts.dropLast(2).joined(separator: " ")] = (end / 10, mark / 10)
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
