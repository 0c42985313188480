import LanguageModeling

/// Numbers in figures and in words, in the languages of `NumberLanguage`: a search finds either.
enum NumberSpellings {
  /// Numbers that are one word in most languages.
  private static let counts = Array(0...100) + [1000]

  /// What else a number may be written as; empty for other words. What has signs in it is a phrase of the index.
  /// - Parameter languages: codes of those that are spoken; a word of one may be a number of another.
  static func others(of word: String, in languages: () throws -> Set<String>) rethrows -> [String] {
    let figures = word.filter { $0.isASCII && $0.isNumber }
    guard figures.isEmpty else { return try others(of: word, figures, in: languages) }
    guard word.contains(where: \.isLetter) else { return [] }
    let numbers = Set(
      try languages().compactMap { NumberLanguage($0)?.numbers(in: [word]).first?.value })
    return numbers.intersection(counts).sorted().map(String.init)
  }

  private static func others(
    of word: String, _ figures: String, in languages: () throws -> Set<String>
  ) rethrows -> [String] {
    guard let number = Int(figures), "\(number)" == figures else { return [] }
    let grouped = Self.grouped(figures)
    guard word == figures else { return word.replacing(".", with: ",") == grouped ? [figures] : [] }
    let words =
      counts.contains(number)
      ? Set(try languages().compactMap { NumberLanguage($0)?.words(number).joined(separator: " ") }).sorted()
      : []
    return (figures == grouped ? [] : [grouped]) + words
  }

  /// Figures with signs between thousands.
  private static func grouped(_ figures: String) -> String {
    figures.enumerated().map { index, figure in
      (index > 0 && (figures.count - index) % 3 == 0 ? "," : "") + String(figure)
    }.joined()
  }
}
