import Foundation
import SentenceFormatting

/// What is said in a domain, out of its n-gram model.
package struct DomainPhrases {
  /// Words that are expected together, and single words that are long.
  package private(set) var phrases: [String] = []
  private var words: Set<String> = []

  /// The least letters of a single word, and of several. Shorter ones sound like too much else.
  private static let minLetters = (word: 5, words: 7)
  /// Phrases of one model at most.
  private static let maxCount = 100_000

  /// No domain.
  package init() {}

  /// - Parameter arpa: the text of a model in ARPA's format.
  package init(arpa: String) {
    var order = 0
    for line in arpa.split(separator: "\n") where phrases.count < Self.maxCount {
      if line.hasPrefix("\\") {
        order = line.hasSuffix("-grams:") ? Int(line.dropFirst().prefix { $0.isNumber }) ?? 0 : 0
        continue
      }
      let gram = line.split(whereSeparator: \.isWhitespace).dropFirst().prefix(order)
      guard order > 0, gram.count == order, !gram.contains(where: { $0.hasPrefix("<") }) else { continue }
      if order == 1 { words.formUnion(gram.map { $0.lowercased() }) }
      let letters = gram.reduce(0) { $0 + Self.letters($1) }
      if letters >= (order == 1 ? Self.minLetters.word : Self.minLetters.words) {
        phrases.append(gram.joined(separator: " "))
      }
    }
  }

  /// The letters of a word.
  private static func letters(_ word: some StringProtocol) -> Int {
    guard word.isPartlyUnspaced else { return word.count }
    return word.unicodeScalars.reduce(0) { $0 + $1.letterCount }
  }

  /// Whether a text has no word that the domain does not have. Numbers are in every domain.
  package func haveAllWords(of text: String) -> Bool {
    text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }
      .allSatisfy { words.contains(String($0)) || $0.allSatisfy(\.isNumber) }
  }
}
