import Foundation

/// A trigram model of a few phrases, interpolated with Witten–Bell weights (Bell, Cleary and Witten 1990): right
/// for counts that are made up rather than counted.
struct PhraseModel {
  private var counts: [[String]: Int] = [:]
  private var continuations: [[String]: (tokens: Int, types: Int)] = [:]

  /// The words of all phrases.
  private(set) var vocabulary: Set<String> = []

  /// - Parameter phrases: words in the spelling of the dictionary.
  init(phrases: [[String]]) {
    for phrase in phrases {
      vocabulary.formUnion(phrase)
      for end in phrase.indices {
        for order in 1...min(3, end + 1) { counts[Array(phrase[(end - order + 1)...end]), default: 0] += 1 }
      }
    }
    for (words, count) in counts {
      let seen = continuations[Array(words.dropLast())] ?? (0, 0)
      continuations[Array(words.dropLast())] = (seen.tokens + count, seen.types + 1)
    }
  }

  /// The share of probability that the words seen after a history leave to others.
  private func left(_ history: [String]) -> Double {
    guard let seen = continuations[history] else { return 1 }
    return Double(seen.types) / Double(seen.tokens + seen.types)
  }

  private func probability(_ words: [String]) -> Double {
    let history = Array(words.dropLast())
    let lower = words.count > 1 ? probability(Array(words.dropFirst())) : 1 / Double(vocabulary.count + 1)
    guard let seen = continuations[history] else { return lower }
    return (Double(counts[words] ?? 0) + Double(seen.types) * lower) / Double(seen.tokens + seen.types)
  }

  /// The model in ARPA's format.
  var arpa: String {
    let orders = (1...3).map { order in
      counts.keys.filter { $0.count == order }.sorted { $0.lexicographicallyPrecedes($1) }
    }
    var text =
      "\\data\\\nngram 1=\(orders[0].count + 2)\nngram 2=\(orders[1].count)\nngram 3=\(orders[2].count)\n"
    func entry(_ words: [String]) -> String {
      let backoff = words.count < 3 ? "\t\(log10(left(words)))" : ""
      return "\(log10(probability(words)))\t\(words.joined(separator: " "))\(backoff)\n"
    }
    text += "\n\\1-grams:\n-99\t<s>\t0\n\(log10(left([]) / Double(vocabulary.count + 1)))\t</s>\t0\n"
    for words in orders[0] { text += entry(words) }
    text += "\n\\2-grams:\n"
    for words in orders[1] { text += entry(words) }
    text += "\n\\3-grams:\n"
    for words in orders[2] { text += entry(words) }
    return text + "\n\\end\\\n"
  }
}
