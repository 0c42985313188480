import Foundation

/// Numbers in figures and in words, in languages that ICU spells them out in: a search finds either.
enum NumberSpellings {
  private typealias Table = (words: [Int: String], numbers: [String: Int])

  /// The numbers of one word in each language.
  private static let tables: [String: Table] = {
    let formatter = NumberFormatter()
    formatter.numberStyle = .spellOut
    var tables: [String: Table] = [:]
    for language in ["en", "de", "fr", "es", "it", "pt", "nl", "ru"] {
      formatter.locale = Locale(identifier: language)
      var table: Table = ([:], [:])
      for number in Array(0...100) + [1000] {
        guard let word = formatter.string(from: NSNumber(value: number)) else { continue }
        table.words[number] = word.replacingOccurrences(of: "\u{AD}", with: "")
      }
      for (number, word) in table.words { table.numbers[word] = number }
      tables[language] = table
    }
    return tables
  }()

  /// What else a number may be written as; empty for other words. What has signs in it is a phrase of the index.
  /// - Parameter languages: codes of those that are spoken; a word of one may be a number of another.
  static func others(of word: String, in languages: () throws -> Set<String>) rethrows -> [String] {
    let lower = word.lowercased()
    let figures = word.filter { $0.isASCII && $0.isNumber }
    guard figures.isEmpty else { return try others(of: word, figures, in: languages) }
    guard tables.values.contains(where: { $0.numbers[lower] != nil }) else { return [] }
    return Set(try languages().compactMap { tables[$0]?.numbers[lower] }).sorted().map(String.init)
  }

  private static func others(
    of word: String, _ figures: String, in languages: () throws -> Set<String>
  ) rethrows -> [String] {
    guard let number = Int(figures), "\(number)" == figures else { return [] }
    let grouped = Self.grouped(figures)
    guard word == figures else { return word.replacing(".", with: ",") == grouped ? [figures] : [] }
    let isWord = number <= 100 || number == 1000
    let words = isWord ? Set(try languages().compactMap { tables[$0]?.words[number] }).sorted() : []
    return (figures == grouped ? [] : [grouped]) + words
  }

  /// Figures with signs between thousands.
  private static func grouped(_ figures: String) -> String {
    figures.enumerated().map { index, figure in
      (index > 0 && (figures.count - index) % 3 == 0 ? "," : "") + String(figure)
    }.joined()
  }
}
