import Foundation

/// Serbian in Cyrillic letters, from text in Gaj's Latin ones.
enum SerbianCyrillic {
  /// The Cyrillic letters for the Latin ones, of which some are pairs.
  private static let letters: [String: String] = {
    let small = zip(
      "lj nj dž a b v g d đ e ž z i j k l m n o p r s t ć u f h c č š".split(separator: " "),
      "љ њ џ а б в г д ђ е ж з и ј к л м н о п р с т ћ у ф х ц ч ш".split(separator: " ")
    ).map { (String($0), String($1)) }
    let capitals = small.flatMap { latin, cyrillic in
      [(latin.uppercased(), cyrillic.uppercased()), (latin.capitalized, cyrillic.uppercased())]
    }
    return Dictionary(small + capitals) { first, _ in first }
  }()

  private static let alphabet = Set(letters.keys.joined())

  /// Beginnings of words in which two letters are not a pair, but those of a prefix and of the word after it.
  private static let divided = [
    "in|jek", "kon|jekt", "kon|jug", "kon|junk", "nad|živ", "od|živ", "pod|žup", "tan|jug",
  ].map { $0.split(separator: "|").map(String.init) }

  /// The text in Cyrillic letters. Words that are not Serbian stay as they are.
  static func written(_ text: String) -> String {
    var written = ""
    var rest = text.precomposedStringWithCanonicalMapping[...]
    while let first = rest.first {
      let part = rest.prefix { $0.isWhitespace == first.isWhitespace }
      written += first.isWhitespace || isForeign(part) ? String(part) : converted(part)
      rest = rest[part.endIndex...]
    }
    return written
  }

  /// Whether a word has a letter that Serbian does not have, a digit beside a letter, a full stop inside, or a capital after a
  /// small letter, or is a Roman numeral of several letters.
  private static func isForeign(_ word: Substring) -> Bool {
    if word.contains(where: isForeignLetter) { return true }
    for (one, next) in zip(word, word.dropFirst()) {
      if one.isLowercase, next.isUppercase { return true }
      if one.isLetter, next.isNumber { return true }
      if one.isNumber, next.isLetter { return true }
    }
    for ((one, mark), next) in zip(zip(word, word.dropFirst()), word.dropFirst(2)) where mark == "." {
      if one.isLetter || one.isNumber, next.isLetter { return true }
    }
    return word.split(separator: "-").contains { part in
      let letters = part.filter(\.isLetter)
      return letters.count > 1 && letters.allSatisfy { "IVX".contains($0) }
    }
  }

  private static func isForeignLetter(_ letter: Character) -> Bool {
    guard letter.isLetter, let scalar = letter.unicodeScalars.first else { return false }
    // The Latin letters end before those of phonetics.
    return scalar.value < 0x250 && !alphabet.contains(letter)
  }

  private static func converted(_ word: Substring) -> String {
    let start = word.firstIndex(where: \.isLetter) ?? word.startIndex
    let small = word[start...].lowercased()
    let prefix = divided.first { small.hasPrefix($0.joined()) }?.first ?? ""
    let cut = word.index(start, offsetBy: prefix.count)
    var written = ""
    var rest = word
    while let first = rest.first {
      let pair = rest.prefix(2)
      let isDivided = rest.startIndex < cut && cut < pair.endIndex
      if pair.count == 2, !isDivided, let letter = letters[String(pair)] {
        written += letter
        rest = rest.dropFirst(2)
      } else {
        written += letters[String(first)] ?? String(first)
        rest = rest.dropFirst()
      }
    }
    return written
  }
}
