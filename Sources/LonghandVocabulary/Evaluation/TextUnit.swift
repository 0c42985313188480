import LanguageModeling
import LonghandTranscripts

/// A word in the form that is compared, or a figure of a number.
struct TextUnit {
  var text: String
  /// The indices of the written words that it is a part of: one, or all words of a number.
  var owners: Range<Int>
  /// How it is said, if that is not its text.
  var sound: String?

  var said: String { sound ?? text }
  /// Its share of the time of its words.
  var length: Double { Double(said.count + 1) }

  /// The share of the sounds by which words that sound alike may differ.
  private static let maxDistance = 0.4
  private static let scales: Set<String> = ["hundred", "thousand", "million", "billion", "trillion"]

  /// The units of words. Numbers are compared by their figures, whether they are written in figures or in words, and as a year, as
  /// a count or figure by figure.
  /// - Parameter first: the index of the first word.
  static func units(
    _ words: ArraySlice<String>, _ language: NumberLanguage?, from first: Int = 0
  ) -> [TextUnit] {
    let comparison: TextComparison = language?.code == "en" ? .spoken : .exact
    let forms = language?.code == "en" ? nil : language.map(NumberForms.init)
    let parts = words.enumerated().reduce(into: [(text: String, owners: Range<Int>)]()) { parts, word in
      let index = first + word.offset
      // Of "$5 million", the dollars are said at the end.
      if let last = parts.last, comparison == .spoken, last.text.first.map("$£€".contains) == true,
        TextNormalizer().words(in: word.element).first.map(scales.contains) == true
      {
        parts[parts.count - 1] = (
          last.text + " " + word.element.lowercased(), last.owners.lowerBound..<index + 1
        )
      } else {
        parts.append((word.element, index..<index + 1))
      }
    }
    // Most words of a text occur often.
    var known: [String: [String]] = [:]
    let plain = parts.flatMap { part in
      let words = known[part.text] ?? comparison.words(in: part.text).flatMap { forms?.words(of: $0) ?? [$0] }
      known[part.text] = words
      return words.map { TextUnit(text: $0, owners: part.owners) }
    }
    guard let language else { return plain }
    var units: [TextUnit] = []
    var next = 0
    for number in language.numbers(in: plain.map(\.text)) {
      units += plain[next..<number.range.lowerBound]
      next = number.range.upperBound
      let owners = plain[number.range.lowerBound].owners.lowerBound..<plain[next - 1].owners.upperBound
      let isDivided =
        units.last.map { $0.owners != owners && $0.owners.upperBound > owners.lowerBound } ?? false
        || next < plain.count && plain[next].owners != owners
          && plain[next].owners.lowerBound < owners.upperBound
      // Of the words of "one hundred-year", some would have two numbers.
      if isDivided, owners.count > 1 {
        units += plain[number.range]
        continue
      }
      let (figures, said) = (Array("\(number.value)"), plain[number.range].map(\.text))
      units += figures.indices.map { index in
        // The parts of the words belong to the figures in order.
        let words = said[index * said.count / figures.count..<(index + 1) * said.count / figures.count]
        return TextUnit(text: String(figures[index]), owners: owners, sound: words.joined(separator: " "))
      }
    }
    return units + plain[next...]
  }

  /// Whether two texts sound alike.
  static func areAlike(_ left: ArraySlice<TextUnit>, _ right: ArraySlice<TextUnit>) -> Bool {
    difference(left, right).map { $0 <= maxDistance } ?? false
  }

  /// The share of the sounds by which two texts differ, from 0; nil if one of them has none. In other writings than the Latin one,
  /// whose sounds are not known, letters stand for sounds.
  static func difference(_ left: ArraySlice<TextUnit>, _ right: ArraySlice<TextUnit>) -> Double? {
    let spoken = [left, right].map { units in SpokenText(units.map(\.said).joined(separator: " ")) }
    if spoken.contains(where: { $0.letters.contains { $0 >= 0x80 } }) {
      let letters = spoken.map { Array(String(decoding: $0.letters, as: UTF8.self)).map(String.init) }
      guard let longest = letters.map(\.count).max(), letters.allSatisfy({ !$0.isEmpty }) else { return nil }
      let alignment = WordAlignment(reference: letters[0], hypothesis: letters[1])
      return Double(alignment.operations.count { $0 != .match }) / Double(longest)
    }
    let sounds = spoken.map(\.sounds)
    var distance = PhoneticDistance()
    let weight = sounds.map { distance.weight(of: $0[...]) }.max() ?? 0
    guard weight > 0, let found = distance.distance(from: sounds[0][...], to: sounds[1][...]) else {
      return nil
    }
    return Double(found) / Double(weight)
  }
}
