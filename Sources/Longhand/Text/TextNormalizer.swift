import Foundation

/// Makes texts comparable, so that a scoring counts words and not ways of writing them.
///
/// - Unicode NFC, lower case;
/// - curly and modifier apostrophes become straight; an apostrophe stays between two letters or digits (`don't`) and
///   goes elsewhere (`players'`);
/// - hyphens, dashes, slashes, underscores and ellipses part words (`half-guard` is two);
/// - other punctuation, symbols and invisible marks are removed (`U.S.` is `us`);
/// - numbers are left as they are written, with a point, comma or colon between two digits (`1.5`, `10:30`);
/// - runs of white space are one space.
public struct TextNormalizer: Sendable, Hashable {
  /// The only normalizer there is, for now.
  public init() {}

  /// The words of `text`, parted by single spaces.
  public func normalize(_ text: String) -> String { words(in: text).joined(separator: " ") }

  /// The normalized words of `text`, in order; none of them is empty.
  public func words(in text: String) -> [String] {
    // Lower case may decompose a letter, so that composition comes last.
    let scalars = Array(text.lowercased().precomposedStringWithCanonicalMapping.unicodeScalars)
    var kept = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : nil
      let after = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch scalar {
      case "'", "\u{2018}", "\u{2019}", "\u{02BC}", "\u{FF07}":
        if Self.isWordPart(before), Self.isWordPart(after) { kept.append("'") }
      case ".", ",", ":":
        if Self.isDigit(before), Self.isDigit(after) { kept.append(scalar) }
      case "/", "\\", "_", "\u{2026}", "\u{2212}": kept.append(" ")
      case "\u{200C}", "\u{200D}":
        // They join or part letters in Persian and the languages of India, and change the word.
        kept.append(scalar)
      default: Self.append(scalar, to: &kept)
      }
    }
    return String(kept).split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static func append(_ scalar: Unicode.Scalar, to kept: inout String.UnicodeScalarView) {
    switch scalar.properties.generalCategory {
    case .dashPunctuation, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: kept.append(" ")
    case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .connectorPunctuation,
      .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .format:
      break
    default: kept.append(scalar)
    }
  }

  private static func isWordPart(_ scalar: Unicode.Scalar?) -> Bool {
    switch scalar?.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
    scalar?.properties.generalCategory == .decimalNumber
  }
}
