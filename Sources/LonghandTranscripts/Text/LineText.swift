/// Fits text into one line, whatever characters it has.
package enum LineText {
  /// The most marks that a letter keeps. Tibetan has letters with eight; more cover the lines around.
  private static let maxMarks = 10

  /// `text` with every run of spaces, line ends and control characters as one space, and none at its ends; without characters
  /// that turn the direction of what follows, and with a limited number of marks on a letter.
  ///
  /// Spaces with a meaning of their own, such as the no-break space, stay.
  package static func of(_ text: String) -> String {
    if isLine(text) { return text }
    var scalars = String.UnicodeScalarView()
    var needsSpace = false
    var marks = 0
    for scalar in text.unicodeScalars {
      // Invisible; at the start of a file or of a Praat label it is read as a byte order mark.
      if scalar == "\u{FEFF}" || scalar.turnsDirection { continue }
      marks = isMark(scalar) ? marks + 1 : 0
      if marks > maxMarks { continue }
      if isSpace(scalar) {
        needsSpace = true
        continue
      }
      if needsSpace, !scalars.isEmpty { scalars.append(" ") }
      needsSpace = false
      scalars.append(scalar)
    }
    return String(scalars)
  }

  /// `text` as one column of a format whose columns are separated by white space: each run of white space becomes `_`.
  static func column(_ text: String) -> String {
    of(text).split(whereSeparator: \.isWhitespace).joined(separator: "_")
  }

  /// `text` as a cell of a table. Programs for tables calculate what begins with these signs; after a space they do not.
  static func cell(_ text: String) -> String { (text.first.map("=+-@".contains) == true ? " " : "") + text }

  /// Whether nothing is to be changed because `text` is of visible ASCII with single spaces between, as most texts are.
  private static func isLine(_ text: String) -> Bool {
    let space = UInt8(ascii: " ")
    var last = space
    for byte in text.utf8 {
      guard space...UInt8(ascii: "~") ~= byte, byte != space || last != space else { return false }
      last = byte
    }
    return last != space || text.isEmpty
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar == " "
    }
  }
}

extension StringProtocol {
  /// Whether its first letter belongs to a writing from right to left.
  var isRightToLeft: Bool {
    isPartlyRightToLeft && unicodeScalars.first(where: \.properties.isAlphabetic)?.isRightToLeft == true
  }

  /// Whether a part of it is in a writing from right to left.
  package var isPartlyRightToLeft: Bool {
    // All such letters have two bytes or more.
    utf8.contains { $0 >= 0xD6 } && unicodeScalars.contains(where: \.isRightToLeft)
  }
}

extension Unicode.Scalar {
  /// Whether it belongs to a writing from right to left, such as Arabic or Hebrew.
  package var isRightToLeft: Bool {
    switch value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF: true
    default: false
    }
  }

  /// Whether what follows is shown in another direction, until that is ended. Letters have a direction of their own.
  package var turnsDirection: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}
