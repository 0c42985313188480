import Foundation
import SentenceFormatting

/// The words of a text for matching by sound: for each its position, its spelling, its plain letters and its sounds.
///
/// A word is a run of letters and digits, with single apostrophes and other joints between them; everything else separates
/// words. In writing without spaces, each letter with its marks is a word, and has no sounds: a name is found there by its
/// spelling, within other letters, but not across a mark between phrases.
///
/// Plain letters are in lower case, without accents and joints: `Grünfeld's` is `grunfelds`. They say how alike words
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
  /// Whether nothing goes on from the word before to each word: a line ends between them, or, in writing without spaces, a phrase.
  package private(set) var startsPhrase: [Bool] = []
  /// Whether each word is a letter of writing without spaces.
  package private(set) var isUnspaced: [Bool] = []
  /// The spellings of words that have other characters than ASCII; of the others the plain letters are the spelling.
  private var spellings: [Int: String] = [:]

  package var count: Int { byteRanges.count }

  /// Whether the text has letters, with nothing between them.
  package var isOneRun: Bool {
    count > 0 && zip(byteRanges, byteRanges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }
  }

  /// Whether a word is a letter beside others, in writing without spaces: by itself it may be a part of any word.
  package func isWithinLetters(_ index: Int) -> Bool {
    func isBeside(_ other: Int) -> Bool {
      byteRanges.indices.contains(other) && isUnspaced[other]
        && (byteRanges[other].upperBound == byteRanges[index].lowerBound
          || byteRanges[index].upperBound == byteRanges[other].lowerBound)
    }
    return isUnspaced[index] && (isBeside(index - 1) || isBeside(index + 1))
  }

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

  /// A word in lower case, with its accents and without joints.
  package func spelling(_ index: Int) -> String { spellings[index] ?? word(index) }

  /// The spellings of words, separated by spaces; of all words if no range is given.
  package func key(_ range: Range<Int>? = nil) -> String {
    (range ?? 0..<count).map(spelling).joined(separator: " ")
  }

  private mutating func append(_ word: WordTokenizer<Rules>.Word) {
    let first = letters.count
    for scalar in word.scalars where !Rules.isJoint(scalar) {
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
    if word.scalars.contains(where: { !$0.isASCII && !Rules.isJoint($0) }) {
      spellings[count] = Self.spelling(word.scalars)
    }
    let isUnspaced = word.scalars.first.map(Rules.isUnspaced) ?? false
    startsPhrase.append(
      word.startsLine || (word.followsMark && isUnspaced && self.isUnspaced.last == true))
    self.isUnspaced.append(isUnspaced)
    byteRanges.append(word.bytes)
    letterStarts.append(letters.count)
    if !isUnspaced { PhoneticCoding.append(letters[first...], to: &sounds) }
    soundStarts.append(sounds.count)
    possessiveWidths.append(Self.possessiveWidth(word.scalars))
  }

  private static func possessiveWidth(_ scalars: [Unicode.Scalar]) -> Int {
    guard scalars.count > 2, let last = scalars.last, last == "s" || last == "S",
      let mark = scalars.dropLast().last, Rules.isApostrophe(mark)
    else { return 0 }
    return UTF8.width(mark) + UTF8.width(last)
  }

  private static func spelling(_ scalars: [Unicode.Scalar]) -> String {
    let plain = String(String.UnicodeScalarView(scalars.filter { !Rules.isJoint($0) })).lowercased()
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
      if isJoint(scalar) {
        guard let previous, let next, joins(scalar, previous, next) else { return .separator }
        return .part(scalar)
      }
      guard isPart(scalar) else { return .separator }
      return beginsWord(scalar, after: previous) ? .first(scalar) : .part(scalar)
    }

    static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x27, 0x2BC, 0x2018, 0x2019, 0xFF07: true
      default: false
      }
    }

    /// Whether it is no letter, but belongs to the word if it is between two: apostrophes, invisible signs that join or divide
    /// letters, the point of Catalan, and the marks of Hebrew numbers and abbreviations.
    static func isJoint(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x22, 0xAD, 0xB7, 0x5F3, 0x5F4, 0x200C, 0x200D, 0x2060: true
      default: isApostrophe(scalar)
      }
    }

    private static func joins(
      _ joint: Unicode.Scalar, _ previous: Unicode.Scalar, _ next: Unicode.Scalar
    ) -> Bool {
      guard isPart(previous), isPart(next), !isUnspaced(previous), !isUnspaced(next) else { return false }
      switch joint.value {
      case 0x22: return isHebrew(previous) && isHebrew(next)
      case 0xB7: return previous.properties.isAlphabetic && next.properties.isAlphabetic
      default: return true
      }
    }

    /// Whether it belongs to writing without spaces. Full-width Latin letters and figures are words as others are.
    static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value >= 0xE00 && scalar.isUnspaced && !(0xFF00...0xFF5E).contains(scalar.value)
    }

    /// Whether a word begins although a letter may be before it: in writing without spaces, where vowels and marks belong to their
    /// letter.
    private static func beginsWord(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
      guard !isOnLetter(scalar) else { return false }
      guard isUnspaced(scalar) else { return previous.map { isPart($0) && isUnspaced($0) } ?? false }
      return previous.map { !isBeforeLetter($0) } ?? true
    }

    private static func isOnLetter(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      // The vowels after letters of Thai and Lao, and the voicing marks of narrow Japanese.
      case 0xE30, 0xE32, 0xE33, 0xE45, 0xEB0, 0xEB2, 0xEB3, 0xFF9E, 0xFF9F: true
      default: isMark(scalar)
      }
    }

    private static func isBeforeLetter(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      // The vowels before letters of Thai and Lao, and the signs of Burmese, Khmer and Tai Tham that put a letter below another.
      case 0xE40...0xE44, 0xEC0...0xEC4, 0x1039, 0x17D2, 0x1A60: true
      default: false
      }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
      let category = scalar.properties.generalCategory
      return category == .nonspacingMark || category == .spacingMark
    }

    private static func isHebrew(_ scalar: Unicode.Scalar) -> Bool { (0x591...0x5F2).contains(scalar.value) }

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
      return !isJoint(scalar)
        && (scalar.properties.isAlphabetic || isMark(scalar) || scalar.properties.numericType != nil)
    }
  }
}
