/// Fits text into one line, whatever characters it has.
package enum LineText {
  /// `text` with every run of spaces, line ends and control characters as one space, and none at its ends.
  ///
  /// Spaces with a meaning of their own, such as the no-break space, stay.
  package static func of(_ text: String) -> String {
    if isLine(text) { return text }
    var scalars = String.UnicodeScalarView()
    var needsSpace = false
    for scalar in text.unicodeScalars {
      // Invisible; at the start of a file or of a Praat label it is read as a byte order mark.
      if scalar == "\u{FEFF}" { continue }
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

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar == " "
    }
  }
}
