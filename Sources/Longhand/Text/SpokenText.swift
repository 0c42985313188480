import Foundation

/// A text as words that can be matched: for each its place, its plain letters and its sounds.
///
/// A word is a run of letters and digits, with apostrophes between them; everything else parts words. Its letters are in
/// lower case without accents and apostrophes: `Grünfeld's` is `grunfelds`. Letters and sounds of all words lie in one
/// array each, so that those of words next to each other are a slice.
struct SpokenText: Sendable {
  /// For each word its bytes in the text's UTF-8.
  private(set) var places: [Range<Int>] = []
  /// The plain letters of all words.
  private(set) var letters: [UInt8] = []
  /// Where in `letters` each word begins, and the end.
  private(set) var letterStarts = [0]
  /// The sounds of all words, see `PhoneticCoding`.
  private(set) var sounds: [UInt8] = []
  /// Where in `sounds` each word begins, and the end.
  private(set) var soundStarts = [0]
  /// How many bytes of each word are an apostrophe and an s at its end; 0 where there are none.
  private(set) var possessiveWidths: [Int] = []
  /// Whether a line ends between a word and the one before.
  private(set) var beginsLine: [Bool] = []

  var count: Int { places.count }

  init(_ text: String) {
    var offset = 0
    var start: Int?
    var scalars: [Unicode.Scalar] = []
    var apostrophe: Unicode.Scalar?
    var isNewLine = false
    func isApostrophe(_ scalar: Unicode.Scalar) -> Bool { scalar == "'" || scalar == "\u{2019}" }
    for scalar in text.unicodeScalars {
      let width = UTF8.width(scalar)
      if Self.isWordPart(scalar) {
        if let apostrophe { scalars.append(apostrophe) }
        apostrophe = nil
        if start == nil { start = offset }
        scalars.append(scalar)
      } else if isApostrophe(scalar), start != nil, apostrophe == nil {
        apostrophe = scalar
      } else {
        if let begin = start {
          // An apostrophe at the end is no part of the word.
          let end = offset - (apostrophe.map(UTF8.width) ?? 0)
          append(scalars, at: begin..<end, beginsLine: isNewLine)
          isNewLine = false
        }
        (start, apostrophe) = (nil, nil)
        scalars.removeAll(keepingCapacity: true)
        if scalar == "\n" || scalar == "\u{2028}" || scalar == "\u{2029}" { isNewLine = true }
      }
      offset += width
    }
    if let start {
      append(scalars, at: start..<offset - (apostrophe.map(UTF8.width) ?? 0), beginsLine: isNewLine)
    }
  }

  /// The plain letters of the words in `range`.
  func letters(_ range: Range<Int>) -> ArraySlice<UInt8> {
    letters[letterStarts[range.lowerBound]..<letterStarts[range.upperBound]]
  }

  /// The sounds of the words in `range`.
  func sounds(_ range: Range<Int>) -> ArraySlice<UInt8> {
    sounds[soundStarts[range.lowerBound]..<soundStarts[range.upperBound]]
  }

  /// A word's plain letters.
  func word(_ index: Int) -> String { String(decoding: letters(index..<index + 1), as: UTF8.self) }

  /// Words as a key: their plain letters, parted by spaces.
  func row(_ range: Range<Int>) -> String { range.map(word).joined(separator: " ") }

  private mutating func append(_ scalars: [Unicode.Scalar], at place: Range<Int>, beginsLine: Bool) {
    let first = letters.count
    for scalar in scalars where scalar != "'" && scalar != "\u{2019}" {
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        letters.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
      } else {
        let folded = String(scalar).folding(
          options: [.diacriticInsensitive, .caseInsensitive, .widthInsensitive], locale: nil)
        letters += folded.utf8
      }
    }
    // What is left of a letter may be nothing, such as of an accent alone.
    guard letters.count > first else { return }
    places.append(place)
    letterStarts.append(letters.count)
    PhoneticCoding.append(letters[first...], to: &sounds)
    soundStarts.append(sounds.count)
    let isPossessive = scalars.count > 2 && (scalars.last == "s" || scalars.last == "S")
    let mark = scalars.dropLast().last
    possessiveWidths.append(isPossessive ? mark == "'" ? 2 : mark == "\u{2019}" ? 4 : 0 : 0)
    self.beginsLine.append(beginsLine)
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      let lower = scalar.value | 0x20
      return (lower >= 0x61 && lower <= 0x7A) || (scalar.value >= 0x30 && scalar.value <= 0x39)
    }
    return scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
      || scalar.properties.numericType != nil
  }
}
