import CFlite

/// Derives pronunciations from spellings, by flite's lexicon and letter-to-sound rules for American English.
struct Pronouncer {
  /// flite's reduced vowels, by their full forms in the acoustic model's 39 phones.
  private static let reduced = ["ax": "AH", "axr": "ER", "ix": "IH"]

  private let lexicon: UnsafeMutablePointer<cst_lexicon>

  init?() {
    flite_init()
    guard let lexicon = cmu_lex_init() else { return nil }
    self.lexicon = lexicon
  }

  /// The phones of a word, separated by spaces; nil if the spelling has no pronunciation.
  func phones(of word: String) -> String? {
    let letters = word.lowercased().filter { $0.isASCII && $0.isLetter }
    guard !letters.isEmpty, letters.count <= 64, let list = lex_lookup(lexicon, letters, nil, nil) else {
      return nil
    }
    defer { delete_val(list) }
    var phones: [String] = []
    var item: UnsafePointer<cst_val>? = UnsafePointer(list)
    while let current = item {
      let name = String(cString: val_string(val_car(current))).filter { !$0.isNumber }
      phones.append(Self.reduced[name] ?? name.uppercased())
      item = val_cdr(current)
    }
    return phones.isEmpty ? nil : phones.joined(separator: " ")
  }
}
