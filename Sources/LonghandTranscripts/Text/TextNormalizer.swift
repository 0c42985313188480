import Foundation

/// Makes texts comparable, so that scoring counts words and not ways of writing them.
///
/// - Text becomes Unicode NFC in lower case.
/// - Curly and modifier apostrophes become straight. An apostrophe stays between two letters or digits (`don't`) and
///   is removed elsewhere (`players'`).
/// - Hyphens, dashes, slashes, underscores and ellipses separate words (`half-guard` is two words).
/// - Other punctuation, symbols and invisible marks are removed (`U.S.` is `us`).
/// - Numbers stay as they are written, with a point, comma or colon between two digits (`1.5`, `10:30`).
/// - Runs of white space become one space.
///
/// ```swift
/// print(TextNormalizer().normalize("Don’t play half-guard!"))  // don't play half guard
/// ```
public struct TextNormalizer: Sendable, Hashable {
  /// Creates a normalizer. It has no options.
  public init() {}

  /// The words of `text`, separated by single spaces.
  public func normalize(_ text: String) -> String { words(in: text).joined(separator: " ") }

  /// The normalized words of `text`, in order; none of them is empty.
  public func words(in text: String) -> [String] {
    var words: [String] = []
    // Lower case may decompose a letter, so composition comes last.
    let composed = text.lowercased().precomposedStringWithCanonicalMapping
    WordTokenizer<Rules>.forEachWord(in: composed) { word in
      // A mark directly after a space belongs to the space.
      let scalars = word.scalars.drop { word.followsSeparator && Rules.isCombining($0) }
      if !scalars.isEmpty { words.append(String(String.UnicodeScalarView(scalars))) }
    }
    return words
  }

  private enum Rules: WordRules {
    static func role(
      of scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> WordRole {
      switch scalar {
      case "'", "\u{2018}", "\u{2019}", "\u{02BC}", "\u{FF07}":
        return isPart(previous) && isPart(next) ? .part("'") : .ignored
      case ".", ",", ":": return isDigit(previous) && isDigit(next) ? .part(scalar) : .ignored
      case "/", "\\", "_", "\u{2026}", "\u{2212}": return .separator
      // They join or separate letters in Persian and the languages of India, and change the word.
      case "\u{200C}", "\u{200D}": return .part(scalar)
      default: break
      }
      switch scalar.properties.generalCategory {
      case .dashPunctuation, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: return .separator
      case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .connectorPunctuation,
        .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .format:
        return .ignored
      default: return .part(scalar)
      }
    }

    static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .spacingMark
        || scalar == "\u{200D}"
    }

    private static func isPart(_ scalar: Unicode.Scalar?) -> Bool {
      switch scalar?.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .nonspacingMark,
        .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
        true
      default: false
      }
    }

    private static func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
      scalar?.properties.generalCategory == .decimalNumber
    }
  }
}
