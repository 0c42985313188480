extension StringProtocol {
  /// The width in columns: a character of Chinese, Japanese or Korean has two (Unicode's East Asian Width).
  package var columns: Int {
    // Most texts are of ASCII.
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.columns }
  }
}

extension Character {
  /// Columns of the character, with all marks on it.
  fileprivate var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    return first.isWide || unicodeScalars.contains("\u{FE0F}") ? 2 : 1
  }
}

extension Unicode.Scalar {
  fileprivate var isWide: Bool {
    switch value {
    case ..<0x1100: false
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x1_6FE0...0x1_8CFF,
      0x1_B000...0x1_B2FF, 0x2_0000...0x3_FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}
