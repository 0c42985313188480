import Foundation

/// The ways in which a written English word may be said.
package enum SpokenForms {
  /// Units of money, by their signs.
  private static let currencies: [Character: (one: String, many: String)] = [
    "$": ("dollar", "dollars"), "£": ("pound", "pounds"), "€": ("euro", "euros"),
  ]
  /// Words for signs.
  private static let signs: [Character: String] = ["&": "and", "+": "plus", "=": "equals", "@": "at"]
  /// What an abbreviation can stand for beside `Abbreviations.words`.
  private static let further = [
    "dr": ["drive"], "st": ["street"], "am": ["a", "m"], "pm": ["p", "m"], "ok": ["okay"],
  ]
  /// Runs of letters, and amounts with their signs. It is read once: that takes longer than to find them.
  ///
  /// `nonisolated(unsafe)`: it has no code that could change anything, so every thread may use it.
  nonisolated(unsafe) private static let pattern =
    /[$£€]?\d[\d.,:]*(?:st|nd|rd|th|'?s|%)?|[a-z](?:\.[a-z])+(?![a-z])|[a-z][a-z']*|[&+=@]/
  /// Forms of one word, at most.
  private static let maxForms = 12

  /// The forms of a word with its marks, each as words of the dictionary: in lower case, of letters and apostrophes. The
  /// likeliest is first. Empty if nothing of the word is said.
  ///
  /// `$5.50` is `five dollars fifty`, `five dollars and fifty cents` or `five point five zero dollars`, `1905` is `nineteen o
  /// five` or `one thousand nine hundred five`, `Dr.` is `doctor` or `drive`.
  package static func all(of word: String) -> [[String]] {
    var forms: [[String]] = [[]]
    for part in parts(of: word) {
      let own =
        part.first?.isNumber == true || currencies[part.first ?? " "] != nil ? amounts(part) : [words(part)]
      let choices = own + (further[part.replacing(".", with: "")].map { [$0] } ?? [])
      forms = choices.flatMap { choice in forms.map { $0 + choice } }
      if forms.count > maxForms { forms.removeLast(forms.count - maxForms) }
    }
    var seen: Set<[String]> = []
    return forms.filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// What `pattern` finds, without the marks after it.
  private static func parts(of word: String) -> [String] {
    let folded = word.lowercased().replacing("’", with: "'")
      .folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
    return folded.matches(of: pattern).map { match in
      let part = String(match.output)
      return String(
        part.reversed().drop { ".,:'".contains($0) && !(part.hasSuffix("s'") && $0 == "'") }.reversed())
    }
  }

  private static func words(_ part: String) -> [String] {
    if let sign = part.first.flatMap({ signs[$0] }) { return [sign] }
    // The letters of U.S.A. are said one by one.
    if part.contains(".") { return part.split(separator: ".").map(String.init) }
    return Abbreviations.words[part] ?? [part]
  }

  private static func amounts(_ part: String) -> [[String]] {
    var text = part
    let currency = text.first.flatMap { currencies[$0] }
    if currency != nil { text.removeFirst() }
    let isShare = text.last == "%"
    if isShare { text.removeLast() }
    let number = NumberWords.words(of: text)
    if isShare { return [number + ["percent"]] }
    guard let currency else { return [number] + otherNumbers(text) }
    let sums = text.split(separator: ".").map { NumberWords.words(of: String($0)) }
    let unit = sums.first == ["one"] ? currency.one : currency.many
    guard sums.count == 2 else { return [number + [unit], number] }
    return [
      sums[0] + [unit] + sums[1], sums[0] + [unit, "and"] + sums[1] + ["cents"], number + [currency.many],
      sums[0] + sums[1], number,
    ]
  }

  /// What digits alone can also be.
  private static func otherNumbers(_ text: String) -> [[String]] {
    let digits = text.replacing(",", with: "")
    guard digits.allSatisfy(\.isNumber), let number = Int(digits) else { return [] }
    var forms: [[String]] = []
    if digits.count == 4, text == digits {
      let (century, rest) = number.quotientAndRemainder(dividingBy: 100)
      let end = rest == 0 ? ["hundred"] : (rest < 10 ? ["o"] : []) + NumberWords.cardinal(rest)
      forms = [NumberWords.cardinal(century) + end]
      if rest > 0 {
        forms.append(NumberWords.cardinal(century) + ["hundred", "and"] + NumberWords.cardinal(rest))
      }
    }
    if digits.count <= 12 { forms.append(NumberWords.cardinal(number)) }
    let parts = NumberWords.cardinal(number)
    if let hundred = parts.lastIndex(of: "hundred"), hundred + 1 < parts.count {
      forms.append(Array(parts[...hundred]) + ["and"] + parts[(hundred + 1)...])
    }
    return digits.count > 1 ? forms + [NumberWords.digits(digits)] : forms
  }
}
