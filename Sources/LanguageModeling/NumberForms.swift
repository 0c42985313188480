/// The other form of numbers in a text: words for figures, or figures for words.
///
/// What has no clear other form stays as it is: `24/7`, `A4`, `1–5` and Roman numbers in figures; numbers below ten, two numbers
/// side by side, `ten to fifteen thousand`, ordinals but those such as `twenty first`, and the bare words for a hundred and a
/// thousand in words.
package struct NumberForms: Sendable {
  /// What stands in place of some words.
  package struct Change: Sendable, Hashable {
    /// The indices of the words.
    package var range: Range<Int>
    /// At least one; the marks around the old words are around them.
    package var words: [String]
  }

  private let language: NumberLanguage

  package init(_ language: NumberLanguage) { self.language = language }

  // MARK: Figures to words

  /// Words for figures, in order. Figures with a percent sign or a sign of money are said with it.
  /// - Parameter words: words with their marks.
  package func spoken(_ words: [String]) -> [Change] {
    var changes: [Change] = []
    var index = 0
    let parts = words.map(MarkedWord.init)
    while index < parts.count {
      let range = index..<end(of: parts, from: index)
      index = range.upperBound
      guard let said = said(parts, range) else { continue }
      let (first, last) = (parts[range.lowerBound], parts[range.upperBound - 1])
      var changed = said
      changed[0] = first.before + changed[0]
      changed[changed.count - 1] += last.after
      changes.append(Change(range: range, words: changed))
    }
    return changes
  }

  /// How a word of figures and signs between them is said, in lower case; other words stay. For other languages than English.
  package func words(of word: String) -> [String] {
    guard word.first?.isFigure == true, word.allSatisfy({ $0.isFigure || ".,:".contains($0) }) else {
      return [word]
    }
    let words = amount(word) ?? word.split { !$0.isFigure }.flatMap { count(String($0), isGrouped: false) }
    return words.map { $0.lowercased() }
  }

  /// The words from an index that belong to one number: thousands after a space, where the language writes them so.
  private func end(of parts: [MarkedWord], from first: Int) -> Int {
    var end = first + 1
    func follows(_ isPart: (String) -> Bool) -> Bool {
      end < parts.count && parts[end - 1].after.isEmpty && parts[end].before.isEmpty
        && isPart(parts[end].text)
    }
    guard parts[first].text.first?.isFigure == true else { return end }
    if language.grouping == nil, parts[first].text.count <= 3, parts[first].text.allFigures {
      while follows({ $0.count == 3 && $0.allFigures }) { end += 1 }
    }
    if follows({ $0.count == 1 && $0.first.flatMap { Units.all[language.code]?[$0] } != nil }) { end += 1 }
    return end
  }

  private func said(_ parts: [MarkedWord], _ range: Range<Int>) -> [String]? {
    let text = parts[range].map(\.text).joined()
    guard text.contains(where: \.isFigure) else { return nil }
    let next = range.upperBound < parts.count ? parts[range.upperBound] : nil
    if language.code == "en" {
      let isOfScale = ["thousand", "million", "billion", "trillion"].contains(next?.text.lowercased())
      let pattern =
        /[$£€](?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d\d)?|(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:%|st|nd|rd|th)?|\d+0'?s|\d{1,2}(?::\d\d)?(?:am|pm)?/
      guard text.wholeMatch(of: pattern) != nil, !(isOfScale && text.contains(where: { "$£€".contains($0) }))
      else { return nil }
      return SpokenForms.all(of: text.replacing(/^(\D.*)\.00$/) { String($0.output.1) }).first
    }
    // "3. Mai" is no count.
    let isOrdinal =
      language.code == "de" && text.count <= 2 && parts[range.upperBound - 1].after == "." && next != nil
    // Thousands after spaces.
    let isGrouped = parts[range].dropFirst().first?.text.allFigures == true
    return isOrdinal ? nil : amount(text, isGrouped: isGrouped)
  }

  /// Figures with their sign, in other languages than English.
  private func amount(_ text: String, isGrouped: Bool = false) -> [String]? {
    var number = text
    var unit: [String] = []
    if let sign = text.last, let name = Units.all[language.code]?[sign] {
      number.removeLast()
      unit = name
    }
    let parts = number.split(separator: language.decimal, omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap({ figures(String($0)) }), parts.count <= 2 else { return nil }
    guard parts.count == 2 else {
      return count(whole, isGrouped: isGrouped || parts[0].count > whole.count) + unit
    }
    guard let word = language.decimalWord, parts[1].allFigures, !parts[1].isEmpty else { return nil }
    return count(whole, isGrouped: true) + [word] + digits(parts[1]) + unit
  }

  /// The figures without signs between thousands; nil if there are others, or signs where none belong.
  private func figures(_ text: String) -> String? {
    let groups =
      language.grouping.map { text.split(separator: $0, omittingEmptySubsequences: false) } ?? [text[...]]
    guard groups.allSatisfy({ $0.allFigures && !$0.isEmpty }),
      groups.count == 1 || groups[0].count <= 3 && groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { return nil }
    return groups.joined()
  }

  private func count(_ figures: String, isGrouped: Bool) -> [String] {
    let isCode = figures.count > 1 && figures.first == "0" || figures.count > 6 && !isGrouped
    guard let number = Int(figures), figures.count <= 12,
      !isCode || figures.hasSuffix("000") && figures.first != "0"
    else { return digits(figures) }
    return !isGrouped && figures.count == 4
      ? language.year(number) ?? language.words(number) : language.words(number)
  }

  private func digits(_ figures: some StringProtocol) -> [String] {
    figures.compactMap(\.wholeNumberValue).flatMap(language.words)
  }

  // MARK: Words to figures

  /// Numbers in a row from which on each is written in figures, also below ten.
  private static let sequence = 3
  /// Numbers from which on figures are written.
  private static let least = 10

  /// Figures for words, in order: for numbers from ten on, and for three or more in a row.
  /// - Parameter words: words with their marks.
  package func written(_ words: [String]) -> [Change] {
    let parts = words.map(MarkedWord.init)
    var changes: [Change] = []
    var start = 0
    while start < parts.count {
      // A mark ends a number.
      var end = start + 1
      while end < parts.count, parts[end - 1].after.isEmpty, parts[end].before.isEmpty { end += 1 }
      for change in self.changes(of: parts[start..<end].map(\.text)) {
        let range = change.range.lowerBound + start..<change.range.upperBound + start
        let text = parts[range.lowerBound].before + change.words.joined() + parts[range.upperBound - 1].after
        changes.append(Change(range: range, words: [text]))
      }
      start = end
    }
    return changes
  }

  /// The changes of words without marks.
  private func changes(of words: [String]) -> [Change] {
    let amounts = amounts(in: words)
    let shared = zip(amounts, amounts.dropFirst()).map { sharesScale($0, $1, words) }
    return zip(amounts.indices, amounts).flatMap { index, amount -> [Change] in
      let isShared = index > 0 && shared[index - 1] || index < shared.count && shared[index]
      return isShared ? [] : changes(of: amount, words)
    }
  }

  /// Numbers side by side, and those after the decimal word that follows them.
  private struct Amount {
    var row: [NumberLanguage.Found]
    var tail: [NumberLanguage.Found] = []

    /// The indices of its words.
    var range: Range<Int> {
      let first = row.first?.range.lowerBound ?? 0
      return first..<((tail.last ?? row.last)?.range.upperBound ?? first)
    }
  }

  private func amounts(in words: [String]) -> [Amount] {
    var rest = language.numbers(in: words)[...]
    func row() -> [NumberLanguage.Found] {
      var row: [NumberLanguage.Found] = []
      while let next = rest.first, row.isEmpty || row.last?.range.upperBound == next.range.lowerBound {
        row.append(next)
        rest.removeFirst()
      }
      return row
    }
    var amounts: [Amount] = []
    while !rest.isEmpty {
      var amount = Amount(row: row())
      let point = amount.range.upperBound
      if point < words.count, words[point].lowercased() == language.decimalWord?.lowercased(),
        rest.first?.range.lowerBound == point + 1
      {
        amount.tail = row()
      }
      amounts.append(amount)
    }
    return amounts
  }

  /// Whether the thousands or millions of the second amount may be those of the first, too: "ten to fifteen thousand".
  private func sharesScale(_ first: Amount, _ second: Amount, _ words: [String]) -> Bool {
    guard let bare = first.tail.last ?? first.row.last, bare.value < 1000, second.row[0].hasScale else {
      return false
    }
    // Up to one word more: "to about", "bis zu".
    let between = words[first.range.upperBound..<second.range.lowerBound]
    return between.count <= 2
      && between.first.map { Self.joiners[language.code]?.contains($0.lowercased()) ?? false } ?? false
  }

  /// The words between the two numbers of a range or a choice.
  private static let joiners: [String: Set<String>] = [
    "en": ["to", "and", "or", "through", "until"], "de": ["bis", "und", "oder"], "fr": ["à", "et", "ou"],
    "es": ["a", "y", "o", "u"], "it": ["a", "ad", "e", "ed", "o"], "pt": ["a", "e", "ou", "até"],
    "nl": ["tot", "en", "of"], "ru": ["до", "и", "или"],
  ]

  private func changes(of amount: Amount, _ words: [String]) -> [Change] {
    guard let decimals = decimals(of: amount, words) else { return [] }
    let row = amount.row
    // A scale that stays after the decimals makes them clear.
    let isRow = row.count + decimals.count >= Self.sequence || decimals.last != amount.tail.last
    // "Nine eleven" and "ten thirty" may be one number, two, a day or a time; "ten twenty thousand" may be a range.
    guard isRow || row.allSatisfy({ $0.value >= Self.least }),
      row.count == 1 || !row.contains(where: \.hasScale) && (isRow || row.allSatisfy(\.isYear))
    else { return [] }
    return row.enumerated().flatMap { place, number -> [Change] in
      let isLast = place == row.count - 1
      if isLast, let end = decimals.last?.range.upperBound {
        let figures = decimals.map { "\($0.value)" }.joined()
        return [
          Change(
            range: number.range.lowerBound..<end, words: [grouped(number), "\(language.decimal)", figures])
        ]
      }
      if isLast, let suffixed = suffixed(number, words) { return suffixed }
      return isRow || isClear(number, words) ? [Change(range: number.range, words: [grouped(number)])] : []
    }
  }

  /// Whether a number alone has one meaning.
  private func isClear(_ number: NumberLanguage.Found, _ words: [String]) -> Bool {
    let range = number.range
    let said = words[range].map { $0.lowercased() }
    let before = range.lowerBound > 0 ? words[range.lowerBound - 1].lowercased() : ""
    let after = range.upperBound < words.count ? words[range.upperBound].lowercased() : ""
    let isTime = language.code == "en" && number.isYear && number.value < 1260 && 1...59 ~= number.value % 100
    // "Fifteen sixteen year olds", not "fifteen hundred years".
    let years = ["en": ["year"], "nl": ["jaar", "jar"]][language.code] ?? []
    let isAges =
      number.isYear && years.contains { after.hasPrefix($0) }
      && !said.joined().contains(language.words(100).last ?? "")
    // "Between one hundred and two thousand".
    let isSpan = before == "between" && said.contains("and") || before == "entre" && said.contains("e")
    return !number.isVague && !isTime && !isAges && !isSpan
  }

  /// The decimals of an amount, each a figure, or one number below a hundred. A scale after them is left out: the word stays.
  /// - Returns: nil if the numbers after the decimal word may be something else.
  private func decimals(of amount: Amount, _ words: [String]) -> [NumberLanguage.Found]? {
    guard let last = amount.tail.last else { return [] }
    // "At one point five million people" may be about a moment.
    let start = amount.range.lowerBound
    if language.code == "en", amount.row.map(\.value) == [1], amount.tail.count == 1, start > 0,
      words[start - 1].lowercased() == "at"
    {
      return nil
    }
    var decimals = amount.tail
    decimals[decimals.count - 1] = withoutScale(last, words) ?? last
    let isOne = decimals.count == 1 && decimals[0].value < (language.code == "en" ? 10 : 100)
    return isOne || decimals.allSatisfy({ $0.value < 10 }) ? decimals : nil
  }

  /// A number without the word for its thousands or millions; nil if it has none, or consists of one word.
  private func withoutScale(_ number: NumberLanguage.Found, _ words: [String]) -> NumberLanguage.Found? {
    let range: Range<Int> = number.range.dropLast()
    guard case let found = language.numbers(in: Array(words[range])), found.count == 1,
      found[0].range.count == range.count,
      [1000, 1_000_000].contains(where: { found[0].value * $0 == number.value })
    else { return nil }
    return .init(range: range, value: found[0].value, isYear: false)
  }

  /// The changes of a number with an ordinal or a plural after it: none if they have no clear form together; nil if neither
  /// follows.
  private func suffixed(_ number: NumberLanguage.Found, _ words: [String]) -> [Change]? {
    let next = number.range.upperBound
    guard next < words.count else { return nil }
    let word = words[next].lowercased()
    func isOrdinal(_ word: String) -> Bool {
      switch language.code {
      case "en": NumberWords.isOrdinalOrPlural(word)
      case "fr": word.hasSuffix("ième") || word.hasSuffix("ièmes")
      case "ru": Self.russianOrdinals.contains { word.hasPrefix($0) }
      default: false
      }
    }
    let isSplit =
      language.code == "fr" && word == "et" && next + 1 < words.count && isOrdinal(words[next + 1])
    guard isOrdinal(word) || isSplit else { return nil }
    guard language.code == "en" else { return [] }
    let said = words[number.range].map { $0.lowercased() } + [word]
    let unit = NumberWords.ordinalUnit(word)
    // "Twenty second" may be seconds.
    let candidates =
      unit.map {
        $0 == 2 || number.value % 100 < 20 || number.value % 10 > 0 ? [] : [Self.ordinal(number.value + $0)]
      }
      ?? (0...9).map { "\(number.value)\($0)0s" }
    let bare = said.flatMap { $0.split(separator: "-").map(String.init) }
    return candidates.filter { NumberWords.words(of: $0) == bare }.prefix(1).map {
      Change(range: number.range.lowerBound..<next + 1, words: [$0])
    }
  }

  private static func ordinal(_ number: Int) -> String {
    "\(number)" + ([1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th")
  }

  private static let russianOrdinals = [
    "перв", "втор", "трет", "четверт", "четвёрт", "пят", "шест", "седьм", "восьм", "девят", "десят",
    "одиннадцат",
    "двенадцат", "тринадцат", "четырнадцат", "пятнадцат", "шестнадцат", "семнадцат", "восемнадцат",
    "девятнадцат", "двадцат", "тридцат", "сороков", "сот",
  ]

  /// The figures with signs between thousands from 10,000 on, and where a count would else be read as a year.
  private func grouped(_ number: NumberLanguage.Found) -> String {
    let figures = "\(number.value)"
    let isLikeYear = 1100...1999 ~= number.value && language.year(number.value) != nil
    guard let sign = language.grouping, figures.count > 4 || isLikeYear && !number.isYear else {
      return figures
    }
    return figures.enumerated().map { index, figure in
      (index > 0 && (figures.count - index) % 3 == 0 ? "\(sign)" : "") + "\(figure)"
    }.joined()
  }
}

/// A word between its marks.
private struct MarkedWord {
  var before: String
  var text: String
  var after: String

  init(_ word: String) {
    let rest = word.drop { "\"'“”‘’„«»([{¿¡—".contains($0) }
    before = String(word[..<rest.startIndex])
    let marks = rest.reversed().prefix { $0.isPunctuation && $0 != "%" && $0 != "-" }
    after = String(marks.reversed())
    text = String(rest.dropLast(marks.count))
  }
}

/// The names of signs after figures.
private enum Units {
  static let all: [String: [Character: [String]]] = [
    "de": ["%": ["Prozent"], "€": ["Euro"]], "fr": ["%": ["pour", "cent"], "€": ["euros"]],
    "es": ["%": ["por", "ciento"], "€": ["euros"]], "it": ["%": ["per", "cento"], "€": ["euro"]],
    "pt": ["%": ["por", "cento"], "€": ["euros"]], "nl": ["%": ["procent"], "€": ["euro"]],
  ]
}

extension NumberLanguage.Found {
  /// Whether it is a count of thousands or millions, perhaps with a rest.
  fileprivate var hasScale: Bool { value >= 1000 && !isYear }
}

extension StringProtocol {
  fileprivate var allFigures: Bool { allSatisfy(\.isFigure) }
}

extension Character {
  fileprivate var isFigure: Bool { isASCII && isNumber }
}
