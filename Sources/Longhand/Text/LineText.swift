/// Texts that stay on their line, whatever a recognizer wrote.
enum LineText {
  /// `text` with every run of spaces, line ends and control characters as one space, and none at its ends.
  ///
  /// Spaces that carry a meaning of their own, such as the no-break space, stay.
  static func of(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var isParted = false
    for scalar in text.unicodeScalars {
      // Invisible, and taken for a byte order mark at the beginning of a file or of a Praat label.
      if scalar == "\u{FEFF}" { continue }
      if parts(scalar) {
        isParted = true
        continue
      }
      if isParted, !scalars.isEmpty { scalars.append(" ") }
      isParted = false
      scalars.append(scalar)
    }
    return String(scalars)
  }

  /// `text` as one column of a form whose columns are parted by white space: each run of it becomes `_`.
  static func column(_ text: String) -> String {
    of(text).split(whereSeparator: \.isWhitespace).joined(separator: "_")
  }

  private static func parts(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar == " "
    }
  }
}
