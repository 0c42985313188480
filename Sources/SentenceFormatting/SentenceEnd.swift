extension StringProtocol {
  /// Whether a word, with the marks around it, ends a sentence, in any writing. It does not after an abbreviation or an
  /// initial.
  package var endsSentence: Bool {
    let bare = withoutClosing
    guard let last = bare.last else { return false }
    if last == "." { return !bare.isAbbreviation }
    // The question mark of Greek.
    if last == ";" { return bare.unicodeScalars.contains { (0x0370...0x03FF).contains($0.value) } }
    return Character.sentenceEnds.contains(last)
  }

  /// Whether a word, with the marks around it, ends a part of a sentence.
  package var endsClause: Bool {
    withoutClosing.last.map { Character.clauseEnds.contains($0) } ?? false
  }

  /// Whether a text has the end of a sentence.
  package var hasSentenceEnd: Bool { split(whereSeparator: \.isWhitespace).contains(where: \.endsSentence) }

  /// The text without the marks that close a quotation or a bracket; French has a space before them.
  private var withoutClosing: SubSequence {
    var rest = self[...]
    while let last = rest.last, last.closesQuotation || last.isWhitespace { rest.removeLast() }
    return rest
  }

  /// Whether a word that ends in a full stop is short for another one, or for a name: "Dr.", "J.", "e.g.".
  private var isAbbreviation: Bool {
    let parts = dropLast().split(separator: ".", omittingEmptySubsequences: false)
      .map { $0.drop { !$0.isLetter && !$0.isNumber } }
    guard let first = parts.first, parts.allSatisfy({ $0.allSatisfy(\.isLetter) && !$0.isEmpty }) else {
      return false
    }
    guard parts.count == 1 else { return parts.allSatisfy { $0.count <= 2 } }
    return first.count == 1
      ? first.first?.isUppercase == true && first != "I" : Self.isTitle(first.lowercased())
  }

  private static func isTitle(_ word: String) -> Bool {
    EnglishCapitals.titles.contains(word) || abbreviations.contains(word)
  }
}

/// Words that are written short before others, beside the English titles.
private let abbreviations = EnglishWords.words(
  "prof st sr sra dra jr rev gen col capt sgt lt gov sen hon vs nr bzw ca hr fr str ул стр")

extension Character {
  private static let fullStops: Set<Character> = Set(".．。｡։।॥۔።။។៕།༎᠃")
  fileprivate static let sentenceEnds: Set<Character> = fullStops.union("?!…？！؟፧՞‼⁇⁈⁉\u{037E}")
  fileprivate static let clauseEnds: Set<Character> = Set(",;:、，；：،؛၊՝፣")

  /// Whether it closes a quotation or a bracket: what it is after belongs to the sentence within. Quotation marks that open
  /// one in some languages close it in others.
  fileprivate var closesQuotation: Bool {
    if self == "\"" || self == "'" || self == "״" { return true }
    return switch unicodeScalars.first?.properties.generalCategory {
    case .closePunctuation, .initialPunctuation, .finalPunctuation: true
    default: false
    }
  }

  /// Whether recognizers write it after a word.
  package var isMark: Bool { Self.sentenceEnds.contains(self) || Self.clauseEnds.contains(self) }
}
