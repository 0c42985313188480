import Foundation
import LanguageModeling
import LonghandTranscripts

/// Makes different spellings of the same English words equal, so that scoring counts what was recognized and not how it is
/// written. Both texts are changed in the same way.
///
/// The rules are those of English; docs/measurements.md lists them. Compound words are written as the reference writes them.
package struct SpellingRules: Sendable, Hashable {
  package init() {}

  /// The words of `text`, in order; none of them is empty.
  package func words(in text: String) -> [String] {
    let plain = Self.withoutSymbols(text).folding(options: .diacriticInsensitive, locale: nil)
    var words: [String] = []
    for word in TextNormalizer().words(in: plain) {
      if word.first?.isNumber == true, word.first?.isASCII == true {
        words += NumberWords.words(of: word)
      } else if let long = Abbreviations.words[word] {
        words += long
      } else if !SpellingTable.hesitations.contains(word) {
        words.append(SpellingTable.american(word))
      }
    }
    return Self.joined(words)
  }

  /// Writes compound words of a text as the reference writes them, in one word or in two. Each part must have three letters
  /// at least, so that "a way" is not "away".
  /// - Parameters:
  ///   - words: the words of the text.
  ///   - reference: the words of the correct text.
  package func words(_ words: [String], compoundedAs reference: [String]) -> [String] {
    let known = Set(reference)
    var pairs: [String: [String]] = [:]
    for (first, second) in zip(reference, reference.dropFirst()) where Self.areParts(first, second) {
      pairs[first + second] = [first, second]
    }
    var result: [String] = []
    var index = 0
    while index < words.count {
      let word = words[index]
      if index + 1 < words.count, case let next = words[index + 1], Self.areParts(word, next),
        known.contains(word + next), pairs[word + next] == nil
      {
        result.append(word + next)
        index += 2
        continue
      }
      result += known.contains(word) ? [word] : pairs[word] ?? [word]
      index += 1
    }
    return result
  }

  private static func areParts(_ first: String, _ second: String) -> Bool {
    first.count >= 3 && second.count >= 3
  }

  /// Writes symbols in words: `$5` is `5 dollars`, `5%` is `5 percent`.
  private static func withoutSymbols(_ text: String) -> String {
    guard text.contains(where: { "$£€%&".contains($0) }) else { return text }
    let amount =
      /([$£€])(\d+(?:,\d{3})*)(?:\.(\d+))?(?: ([Hh]undred|[Tt]housand|[Mm]illion|[Bb]illion|[Tt]rillion))?/
    return text.replacing(amount) { match in
      let (_, symbol, whole, part, unit) = match.output
      let isOne = whole == "1" && part == nil && unit == nil
      let currency = (symbol == "$" ? "dollar" : symbol == "£" ? "pound" : "euro") + (isOne ? "" : "s")
      guard let part else { return "\(whole) \(unit.map { $0 + " " } ?? "")\(currency)" }
      return unit.map { "\(whole).\(part) \($0) \(currency)" } ?? "\(whole) \(currency) \(part)"
    }.replacing("&", with: " and ").replacing("%", with: " percent ")
  }

  /// Joins words that are written as one today, and leaves out the "and" within a number.
  private static func joined(_ words: [String]) -> [String] {
    var result: [String] = []
    for (index, word) in words.enumerated() {
      if let last = result.last {
        if let whole = SpellingTable.joined[last + " " + word] {
          result[result.count - 1] = whole
          continue
        }
        let isWithinNumber =
          word == "and" && ["hundred", "thousand", "million"].contains(last) && index + 1 < words.count
          && NumberWords.isNumber(words[index + 1])
        if isWithinNumber { continue }
      }
      result.append(word)
    }
    return result
  }
}
