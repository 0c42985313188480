import Foundation

/// The words of a text for matching by sound: for each its position, its spelling, its plain letters and its sounds.
///
/// A word is a run of letters and digits, with single apostrophes between them; everything else separates words. Plain
/// letters are in lower case, without accents and apostrophes: `Grünfeld's` is `grunfelds`. They say how alike words
/// are, but not that they are the same, as an accent makes another word in most languages: the spelling has the accents,
/// `grünfelds`. The letters and the sounds of all words are in one array each, so that those of adjacent words are one
/// slice.
package struct SpokenText: Sendable {
  /// The position of each word in the text's UTF-8.
  package private(set) var byteRanges: [Range<Int>] = []
  /// The plain letters of all words.
  package private(set) var letters: [UInt8] = []
  /// The index in `letters` at which each word starts, and the end.
  private(set) var letterStarts = [0]
  /// The sounds of all words, see `PhoneticCoding`.
  package private(set) var sounds: [UInt8] = []
  /// The index in `sounds` at which each word starts, and the end.
  package private(set) var soundStarts = [0]
  /// The bytes that an apostrophe and an s take at the end of each word; 0 for words without them.
  package private(set) var possessiveWidths: [Int] = []
  /// Whether a line ends between each word and the one before it.
  package private(set) var startsLine: [Bool] = []
  /// The spellings of words that have other characters than ASCII; of the others the plain letters are the spelling.
  private var spellings: [Int: String] = [:]

  package var count: Int { byteRanges.count }

  package init(_ text: String) { WordTokenizer<Rules>.forEachWord(in: text) { append($0) } }

  /// The plain letters of the words in `range`.
  package func letters(_ range: Range<Int>) -> ArraySlice<UInt8> {
    letters[letterStarts[range.lowerBound]..<letterStarts[range.upperBound]]
  }

  /// The sounds of the words in `range`.
  package func sounds(_ range: Range<Int>) -> ArraySlice<UInt8> {
    sounds[soundStarts[range.lowerBound]..<soundStarts[range.upperBound]]
  }

  /// A word's plain letters.
  package func word(_ index: Int) -> String { String(decoding: letters(index..<index + 1), as: UTF8.self) }

  /// A word in lower case, with its accents and without apostrophes.
  package func spelling(_ index: Int) -> String { spellings[index] ?? word(index) }

  /// The spellings of words, separated by spaces; of all words if no range is given.
  package func key(_ range: Range<Int>? = nil) -> String {
    (range ?? 0..<count).map(spelling).joined(separator: " ")
  }

  private mutating func append(_ word: WordTokenizer<Rules>.Word) {
    let first = letters.count
    for scalar in word.scalars where !Rules.isApostrophe(scalar) {
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        letters.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
      } else {
        let folded = String(scalar).folding(
          options: [.diacriticInsensitive, .caseInsensitive, .widthInsensitive], locale: nil)
        letters += folded.utf8
      }
    }
    // Folding leaves nothing of an accent without a letter.
    guard letters.count > first else { return }
    if word.scalars.contains(where: { !$0.isASCII && !Rules.isApostrophe($0) }) {
      spellings[count] = Self.spelling(word.scalars)
    }
    byteRanges.append(word.bytes)
    letterStarts.append(letters.count)
    PhoneticCoding.append(letters[first...], to: &sounds)
    soundStarts.append(sounds.count)
    let isPossessive = word.scalars.count > 2 && (word.scalars.last == "s" || word.scalars.last == "S")
    let mark = word.scalars.dropLast().last
    possessiveWidths.append(isPossessive ? mark == "'" ? 2 : mark == "\u{2019}" ? 4 : 0 : 0)
    startsLine.append(word.startsLine)
  }

  private static func spelling(_ scalars: [Unicode.Scalar]) -> String {
    let plain = String(String.UnicodeScalarView(scalars.filter { !Rules.isApostrophe($0) })).lowercased()
    var folded = String.UnicodeScalarView()
    for scalar in plain.unicodeScalars where !Rules.isVowelPoint(scalar) {
      // The Turkish capital İ is an i, of which lower case leaves the dot.
      if scalar == "\u{307}", folded.last == "i" { continue }
      folded.append(scalar == "ς" ? "σ" : scalar)
    }
    let text = folded.isEmpty ? plain : String(folded)
    let isWide = text.unicodeScalars.contains { (0xFF00...0xFFEF).contains($0.value) }
    return (isWide ? text.folding(options: .widthInsensitive, locale: nil) : text)
      .precomposedStringWithCanonicalMapping
  }

  private enum Rules: WordRules {
    static func role(
      of scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> WordRole {
      if isPart(scalar) { return .part(scalar) }
      guard isApostrophe(scalar), let previous, let next, isPart(previous), isPart(next) else {
        return .separator
      }
      return .part(scalar)
    }

    static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool { scalar == "'" || scalar == "\u{2019}" }

    /// Whether it is one of the signs that Hebrew and Arabic may leave out, and mostly do.
    static func isVowelPoint(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7, 0x0640, 0x064B...0x0652, 0x0670:
        true
      default: false
      }
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
      if scalar.isASCII {
        let lower = scalar.value | 0x20
        return (lower >= 0x61 && lower <= 0x7A) || (scalar.value >= 0x30 && scalar.value <= 0x39)
      }
      return scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
        || scalar.properties.numericType != nil
    }
  }
}
