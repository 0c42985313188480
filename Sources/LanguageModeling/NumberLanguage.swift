import Foundation
import Synchronization

/// A language whose numbers are known in figures and in words, as ICU spells them out.
package struct NumberLanguage: Sendable {
  /// A number that consists of words.
  package struct Found: Sendable, Hashable {
    /// The indices of its words.
    package var range: Range<Int>
    package var value: Int
    /// Whether its words are those of a year, such as `nineteen ninety nine`.
    package var isYear: Bool
    /// Whether it is "a thousand" or the bare word for it, or for a hundred and the like, which is often said without counting.
    package var isVague = false
  }

  /// The codes of the languages, the best known one first.
  package static let codes = ["en", "de", "fr", "es", "it", "pt", "nl", "ru"]

  /// The code of the language.
  package let code: String
  /// The sign between thousands; nil if it is a space, or there is none.
  package let grouping: Character?
  /// The sign before decimals.
  package let decimal: Character

  /// - Parameter locale: such as `de-AT`; its region decides about the signs.
  /// - Returns: nil if the language is not one of `codes`.
  package init?(_ locale: String) {
    let wanted = Locale(identifier: locale)
    guard let code = wanted.language.languageCode?.identifier, Self.codes.contains(code) else { return nil }
    self.code = code
    let sign = wanted.groupingSeparator?.first
    grouping = code == "en" ? "," : sign.flatMap { $0.isWhitespace ? nil : $0 }
    decimal = code == "en" ? "." : wanted.decimalSeparator?.first ?? ","
  }

  /// A whole number of at least 0 in words.
  package func words(_ number: Int) -> [String] { Self.words(number, code) }

  /// - Parameter code: one of `codes`.
  static func words(_ number: Int, _ code: String) -> [String] {
    NumberTables.split(NumberTables.speller(code)(Double(number)), code)
  }

  /// A year of four figures that is said as hundreds; nil if it is said as any number.
  package func year(_ number: Int) -> [String]? {
    NumberTables.year(number, code, NumberTables.speller(code)).first
  }

  /// The words between a number and its decimals, if those are said figure by figure.
  package var decimalWord: String? { NumberTables.of(code).decimalWord }

  /// The numbers in words, in order, each as long as possible.
  /// - Parameter words: without marks; hyphens may be in them.
  package func numbers(in words: [String]) -> [Found] { NumberTables.of(code).numbers(in: words) }
}

/// The words of a language's numbers.
private final class NumberTables: Sendable {
  /// Words of a number, at most.
  private static let maxWords = 20
  private static let made = Mutex<[String: NumberTables]>([:])

  static func of(_ code: String) -> NumberTables {
    if let known = made.withLock({ $0[code] }) { return known }
    let new = NumberTables(code)
    made.withLock { $0[code] = new }
    return new
  }

  let decimalWord: String?
  /// Letters of the numbers below 1000; of thousands and of millions up to 999 of them; of years.
  private let units: [String: Int]
  private let larger: [[String: Int]]
  private let years: [String: Int]
  /// What stands between thousands and a rest.
  private let connector: String?
  /// Letters that a number of several words can begin with.
  private let firsts: Set<String>

  private init(_ code: String) {
    let spell = Self.speller(code)
    let traits = Traits.all[code] ?? Traits()
    connector = traits.connector
    let parts = spell(0.1).split(separator: " ").map(String.init)
    decimalWord = parts.count == 3 ? parts[1] : nil
    var firsts: Set<String> = []
    func table(_ scale: Int) -> [String: Int] {
      var table: [String: Int] = [:]
      for number in (scale == 1 ? 0 : 1)..<1000 {
        let text = spell(Double(number * scale))
        for variant in traits.variants(of: text, number, spell, scale) {
          table[Self.letters(variant)] = number * scale
          firsts.insert(Self.letters(variant.prefix { !$0.isWhitespace }))
          firsts.insert(Self.letters(variant.prefix { !$0.isWhitespace && $0 != "-" }))
        }
      }
      return table
    }
    units = table(1)
    larger = [table(1000), table(1_000_000)]
    years = (1100...2099).reduce(into: [:]) { years, number in
      for words in Self.year(number, code, spell) { years[Self.letters(words.joined())] = number }
    }
    self.firsts = firsts
  }

  static func speller(_ code: String) -> (Double) -> String {
    let formatter = NumberFormatter()
    formatter.locale = Locale(identifier: code)
    formatter.numberStyle = .spellOut
    return {
      (formatter.string(from: NSNumber(value: $0)) ?? "").replacing("\u{AD}", with: "")
    }
  }

  /// In English each part of a number is a word.
  static func split(_ text: String, _ code: String) -> [String] {
    text.split { $0.isWhitespace || code == "en" && $0 == "-" }.map(String.init)
  }

  /// How a year can be said in hundreds, the likeliest way first.
  static func year(
    _ number: Int, _ code: String, _ spell: (Double) -> String
  ) -> [[String]] {
    let (century, rest) = number.quotientAndRemainder(dividingBy: 100)
    func words(_ number: Int) -> [String] { split(spell(Double(number)), code) }
    guard (11...19).contains(century) || code == "en" && century == 20 && rest > 0 else { return [] }
    let end = rest == 0 ? [] : words(rest)
    switch code {
    case "en" where rest == 0: return [words(century) + ["hundred"]]
    case "en":
      let zeros = rest < 10 ? [["o"], ["oh"]] : [[]]
      return zeros.map { words(century) + $0 + end }
        + (century == 20 ? [] : [["hundred"], ["hundred", "and"]])
        .map { words(century) + $0 + end }
    case "de": return [[(words(century) + ["hundert"] + end).joined()]]
    case "nl":
      let long = [(words(century) + ["honderd"] + end).joined()]
      return rest < 10 ? [long] : [long, words(century) + end]
    default: return []
    }
  }

  // MARK: Words to numbers

  func numbers(in words: [String]) -> [NumberLanguage.Found] {
    let letters = words.map { Self.letters($0) }
    var found: [NumberLanguage.Found] = []
    var start = 0
    while start < words.count {
      if let number = number(in: letters[start...].prefix(Self.maxWords)) {
        found.append(number)
        start = number.range.upperBound
      } else {
        start += 1
      }
    }
    return found
  }

  /// The longest number at the beginning of words.
  private func number(in words: ArraySlice<String>) -> NumberLanguage.Found? {
    guard let first = words.first, !first.isEmpty, firsts.contains(first) || value(first) != nil else {
      return nil
    }
    var (joined, best): (String, NumberLanguage.Found?) = ("", nil)
    for (index, word) in zip(words.indices, words) {
      guard !word.isEmpty else { break }
      joined += word
      guard let (value, isYear) = value(joined) else { continue }
      let isVague =
        index == words.startIndex && [100, 1000].contains(value) && !joined.hasPrefix("ein")
        || first == "a" && "\(value)".dropFirst().allSatisfy { $0 == "0" }
      best = .init(range: words.startIndex..<index + 1, value: value, isYear: isYear, isVague: isVague)
    }
    return best
  }

  private func value(_ letters: String) -> (Int, isYear: Bool)? {
    if let year = years[letters] { return (year, true) }
    return value(letters[...], larger.count).map { ($0, false) }
  }

  /// - Parameter scale: the number of tables of `larger` that count.
  private func value(_ letters: Substring, _ scale: Int) -> Int? {
    guard scale > 0 else { return units[String(letters)] }
    if let small = value(letters, scale - 1) { return small }
    for end in letters.indices.dropFirst() + [letters.endIndex] {
      guard let number = larger[scale - 1][String(letters[..<end])] else { continue }
      let rest = letters[end...]
      if rest.isEmpty { return number }
      let bare = connector.flatMap { rest.hasPrefix($0) ? rest.dropFirst($0.count) : nil }
      if let small = value(rest, scale - 1) ?? bare.flatMap({ value($0, scale - 1) }), small > 0 {
        return number + small
      }
    }
    return nil
  }

  /// The letters of a word of letters and hyphens, without accents and capitals; empty for other words.
  static func letters(_ word: some StringProtocol) -> String {
    guard word.allSatisfy({ $0.isLetter || "-\u{2010}\u{2011}\u{AD} ".contains($0) }) else { return "" }
    let letters = word.lowercased().filter(\.isLetter)
    return letters.utf8.allSatisfy({ $0 < 0x80 })
      ? letters : letters.folding(options: .diacriticInsensitive, locale: nil).replacing("ß", with: "ss")
  }
}

/// How a language says numbers in other ways than ICU spells them.
private struct Traits {
  /// What may stand after thousands.
  var connector: String?
  /// What may stand between hundreds and a rest.
  var afterHundreds: String?
  /// What a hundred and a thousand may be said without.
  var one: String?
  /// The word for one before hundreds and more, and the article that may be in its place.
  var article: (one: String, other: String)?
  /// Other forms of the last word.
  var endings: [(String, [String])] = []

  static let all: [String: Traits] = [
    "en": Traits(connector: "and", afterHundreds: "and", article: ("one ", "a ")),
    "de": Traits(connector: "und", one: "ein"),
    "fr": Traits(endings: [("un", ["une"])]),
    "es": Traits(endings: [("uno", ["un", "una"])]),
    "pt": Traits(
      connector: "e", endings: [("um", ["uma"]), ("dois", ["duas"]), ("dezesseis", ["dezasseis"])]),
    "ru": Traits(one: "одна ", endings: [("один", ["одна", "одно"]), ("два", ["две"])]),
  ]

  func variants(
    of text: String, _ number: Int, _ spell: (Double) -> String, _ scale: Int
  ) -> [String] {
    var variants = [text]
    // "Hundert" alone is no exact number.
    if let one, text.hasPrefix(one), number > 100 || scale > 1 {
      variants.append(String(text.dropFirst(one.count)))
    }
    if let afterHundreds, number > 100, number % 100 > 0 {
      variants.append(
        "\(spell(Double(number / 100 * 100))) \(afterHundreds) \(spell(Double(number % 100 * scale)))")
    }
    if let article {
      variants += variants.filter { $0.hasPrefix(article.one) }
        .map { article.other + $0.dropFirst(article.one.count) }
    }
    guard scale == 1 else { return variants }
    for (ending, others) in endings where text.hasSuffix(ending) {
      variants += others.map { text.dropLast(ending.count) + $0 }
    }
    return variants
  }
}
