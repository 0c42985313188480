import Foundation

/// The phrases of a domain, out of its n-gram model: words that are expected together, and single words that are long.
package enum DomainPhrases {
  /// The least letters of a single word, and of several. Shorter ones sound like too much else.
  private static let minLetters = (word: 5, words: 7)
  /// Phrases of one model at most.
  private static let maxCount = 100_000

  /// - Parameter arpa: the text of a model in ARPA's format.
  package static func phrases(arpa: String) -> [String] {
    var found: [String] = []
    var order = 0
    for line in arpa.split(separator: "\n") where found.count < maxCount {
      if line.hasPrefix("\\") {
        order = line.hasSuffix("-grams:") ? Int(line.dropFirst().prefix { $0.isNumber }) ?? 0 : 0
        continue
      }
      let words = line.split(whereSeparator: \.isWhitespace).dropFirst().prefix(order)
      guard order > 0, words.count == order, !words.contains(where: { $0.hasPrefix("<") }) else { continue }
      let letters = words.reduce(0) { $0 + $1.count }
      if letters >= (order == 1 ? minLetters.word : minLetters.words) {
        found.append(words.joined(separator: " "))
      }
    }
    return found
  }
}
