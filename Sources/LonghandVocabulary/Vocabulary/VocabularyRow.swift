import Foundation
import LonghandTranscripts
import Speech

/// A term of a vocabulary as a row of a table.
package struct VocabularyRow: Sendable, Hashable, Codable {
  /// The term, as it is written.
  package var term: String
  /// How it sounds: as X-SAMPA symbols, or in the words that a recognizer without the term would write.
  package var soundsLike: [String]
  /// The words that it replaces.
  package var replaces: [String]

  package init(term: String, soundsLike: [String] = [], replaces: [String] = []) {
    (self.term, self.soundsLike, self.replaces) = (term, soundsLike, replaces)
  }
}

extension Vocabulary {
  /// The terms with their pronunciations and corrections. To set them leaves the rest as it is: phrases, templates, names, and
  /// corrections to what is no term.
  package var rows: [VocabularyRow] {
    get {
      let replaced = Dictionary(grouping: corrections, by: \.text)
      return terms.map { term in
        VocabularyRow(
          term: term.text, soundsLike: term.pronunciations,
          replaces: replaced[term.text]?.map(\.recognized) ?? [])
      }
    }
    set {
      let known = Set(terms.map(\.text))
      corrections.removeAll { known.contains($0.text) }
      terms = []
      let symbols = PhonemeSymbols(locale)
      for row in newValue { add(row, symbols) }
    }
  }

  /// Adds a term.
  mutating func add(_ row: VocabularyRow, _ symbols: PhonemeSymbols) {
    // Only words have pronunciations.
    let isWord = SpokenText(row.term).count == 1
    terms.append(
      .init(text: row.term, pronunciations: isWord ? row.soundsLike.filter(symbols.spell) : []))
    let written = row.soundsLike.filter { !symbols.spell($0) } + row.replaces
    corrections += written.filter { $0 != row.term }.map { .init(recognized: $0, text: row.term) }
  }
}

/// The X-SAMPA symbols of a language.
struct PhonemeSymbols {
  private let symbols: Set<String>

  /// - Parameter locale: the language (BCP 47).
  init(_ locale: String) {
    symbols = Set(SFCustomLanguageModelData.supportedPhonemes(locale: Locale(identifier: locale)))
  }

  /// Whether a text consists of symbols.
  func spell(_ text: String) -> Bool {
    text.split(separator: " ").allSatisfy { symbols.contains(String($0)) }
  }
}
