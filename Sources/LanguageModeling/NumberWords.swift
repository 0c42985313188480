/// English numbers in words, as they are usually said.
package enum NumberWords {
  /// The words of a token that begins with a digit, such as `1,000`, `10:30`, `21st`, `1980s` or `7am`.
  package static func words(of token: String) -> [String] {
    let isNumber = { (character: Character) in character.isASCIIDigit || ".,:".contains(character) }
    let number = token.prefix(while: isNumber)
    let suffix = token.dropFirst(number.count)
    let words = words(ofNumber: String(number))
    switch suffix {
    case "": return words
    case "st", "nd", "rd", "th": return words.replacingLast(ordinal)
    case "s", "'s": return words.replacingLast(plural)
    default: return words + [String(suffix)]
    }
  }

  private static func words(ofNumber text: String) -> [String] {
    if text.contains(":") {
      let parts = text.split(separator: ":").map(String.init)
      guard parts.count == 2, parts[1].count == 2 else { return parts.flatMap(words(ofNumber:)) }
      return words(ofNumber: parts[0]) + minutes(parts[1])
    }
    let parts = text.split(separator: ".").map(String.init)
    if parts.count > 1 {
      return words(ofNumber: parts[0]) + parts.dropFirst().flatMap { ["point"] + digits($0) }
    }
    let groups = text.split(separator: ",").map(String.init)
    if groups.count > 1 {
      let isGrouped = groups[0].count <= 3 && groups.dropFirst().allSatisfy { $0.count == 3 }
      guard isGrouped else { return groups.flatMap(words(ofNumber:)) }
      // What is written in groups is a count, however long.
      let figures = groups.joined()
      guard figures.count <= maxFigures, figures.first != "0", let number = Int(figures) else {
        return digits(figures)
      }
      return cardinal(number)
    }
    return text.count == 4 ? year(text) : cardinal(text)
  }

  /// The figures of the longest count that has a name.
  private static let maxFigures = 15

  /// `00` is not said, `05` is `o five`.
  private static func minutes(_ text: String) -> [String] {
    text == "00" ? [] : text.first == "0" ? ["o"] + cardinal(String(text.dropFirst())) : cardinal(text)
  }

  /// Four digits as a year: `1803` is `eighteen o three`, and `2005` is `two thousand five`.
  private static func year(_ text: String) -> [String] {
    guard let number = Int(text), (1100...1999).contains(number) || (2010...2099).contains(number) else {
      return cardinal(text)
    }
    let (century, rest) = number.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return cardinal(century) + ["hundred"] }
    return cardinal(century) + (rest < 10 ? ["o"] : []) + cardinal(rest)
  }

  /// Numbers that begin with a zero, and long ones such as telephone numbers, are said digit by digit.
  private static func cardinal(_ text: String) -> [String] {
    guard let number = Int(text), text.count < 7 || text.hasSuffix("000"), text.first != "0" || text == "0"
    else { return digits(text) }
    return cardinal(number)
  }

  /// A whole number of at least 0, such as `one thousand two hundred fifty`.
  static func cardinal(_ number: Int) -> [String] {
    if number < 20 { return [small[number]] }
    if number < 100 { return [tens[number / 10]] + (number % 10 == 0 ? [] : [small[number % 10]]) }
    guard let (unit, name) = units.first(where: { number >= $0.0 }) else { return [] }
    return cardinal(number / unit) + [name] + (number % unit == 0 ? [] : cardinal(number % unit))
  }

  /// Each digit by itself.
  static func digits(_ text: String) -> [String] {
    text.compactMap(\.wholeNumberValue).map { small[$0] }
  }

  private static func ordinal(_ word: String) -> String {
    if let known = ordinals[word] { return known }
    return word.hasSuffix("y") ? word.dropLast() + "ieth" : word + "th"
  }

  private static func plural(_ word: String) -> String {
    word.hasSuffix("y") ? word.dropLast() + "ies" : word + (word.hasSuffix("x") ? "es" : "s")
  }

  /// Whether a word can be a part of a number.
  package static func isNumber(_ word: String) -> Bool { parts.contains(word) }

  /// Whether a word such as `first`, `eighties` or `thousands` changes what a number before it means.
  static func isOrdinalOrPlural(_ word: String) -> Bool { ordinalsAndPlurals.contains(word) }

  /// 1 for `first`, to 9; nil for other words.
  static func ordinalUnit(_ word: String) -> Int? { (1...9).first { ordinal(small[$0]) == word } }

  private static let small = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
  ]
  private static let tens = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
  ]
  private static let units = [
    (1_000_000_000_000, "trillion"), (1_000_000_000, "billion"), (1_000_000, "million"), (1000, "thousand"),
    (100, "hundred"),
  ]
  private static let ordinals = [
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
  ]
  private static let ordinalsAndPlurals = Set(
    (small + tens.dropFirst(2) + units.map(\.1)).flatMap { [ordinal($0), plural(ordinal($0)), plural($0)] }
      + ["hundred", "thousand"])
  private static let parts = Set(small + tens.dropFirst(2) + units.map(\.1)).union(
    (small + tens.dropFirst(2)).map(ordinal))
}

extension [String] {
  fileprivate func replacingLast(_ change: (String) -> String) -> [String] {
    dropLast() + (last.map { [change($0)] } ?? [])
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
