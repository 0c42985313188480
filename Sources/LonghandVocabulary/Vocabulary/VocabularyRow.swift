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
      // The first of equal terms has their corrections.
      var replaced = Dictionary(grouping: corrections, by: \.text)
      return terms.map { term in
        VocabularyRow(
          term: term.text, soundsLike: term.pronunciations,
          replaces: replaced.removeValue(forKey: term.text)?.map(\.recognized) ?? [])
      }
    }
    set {
      let pronunciations = Dictionary(grouping: terms, by: \.text).mapValues {
        Set($0.flatMap(\.pronunciations))
      }
      corrections.removeAll { pronunciations[$0.text] != nil }
      terms = []
      add(newValue, pronunciations: pronunciations)
    }
  }

  /// Adds terms.
  /// - Parameter pronunciations: what else than symbols is a pronunciation, by the terms: what was one before.
  mutating func add(_ rows: [VocabularyRow], pronunciations: [String: Set<String>] = [:]) {
    let symbols = PhonemeSymbols(locale)
    var known = Set(corrections)
    for row in rows {
      // Only words have pronunciations.
      let isWord = SpokenText(row.term).isOneRun
      func isPronunciation(_ text: String) -> Bool {
        pronunciations[row.term]?.contains(text) == true || isWord && symbols.spell(text)
      }
      terms.append(.init(text: row.term, pronunciations: row.soundsLike.filter(isPronunciation)))
      let written = row.soundsLike.filter { !isPronunciation($0) } + row.replaces
      corrections += written.filter { $0 != row.term }.map { .init(recognized: $0, text: row.term) }
        .filter { known.insert($0).inserted }
    }
  }
}

/// The X-SAMPA symbols of a language.
struct PhonemeSymbols {
  private let symbols: Set<String>

  /// - Parameter locale: the language (BCP 47).
  init(_ locale: String) {
    symbols = Set(SFCustomLanguageModelData.supportedPhonemes(locale: Locale(identifier: locale)))
  }

  /// Whether a text consists of symbols, which may have marks of stress before them.
  func spell(_ text: String) -> Bool {
    text.split(whereSeparator: \.isWhitespace).allSatisfy { symbol in
      symbols.contains(String(symbol)) || symbols.contains(String(symbol.drop { "\"%:.".contains($0) }))
    }
  }
}
