import LonghandTranscripts
import SentenceFormatting

/// Which differences between two texts count as errors. Upper and lower case and punctuation never do; see `TextNormalizer`.
/// In writing without spaces between words, each character is a word.
package enum TextComparison: Sendable, Hashable {
  /// What is said counts. Numbers, abbreviations and British spelling are made equal, by rules for English.
  case spoken
  /// Words count as they are written.
  case exact

  /// The words of a text, in a form that can be compared.
  package func words(in text: String) -> [String] {
    let words =
      switch self {
      case .spoken: SpellingRules().words(in: text)
      case .exact: TextNormalizer().words(in: text)
      }
    return words.flatMap(\.unspacedParts)
  }

  /// The words of a text, for a comparison with the words of the correct text.
  package func words(_ words: [String], against reference: [String]) -> [String] {
    switch self {
    case .spoken: SpellingRules().words(words, compoundedAs: reference)
    case .exact: words
    }
  }
}
