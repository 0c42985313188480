extension Unicode.Scalar {
  /// Whether it belongs to a writing without spaces between words: Chinese and Japanese with their marks, Thai, Lao, Tibetan,
  /// Burmese and Khmer.
  package var isUnspaced: Bool { isHanOrKana || hasPhraseSpaces }

  private var isHanOrKana: Bool {
    properties.isIdeographic || (0x3000...0x30FF).contains(value) || (0xFF00...0xFF9F).contains(value)
  }

  /// Whether it belongs to a writing in which a space is between phrases, as a mark is elsewhere.
  package var hasPhraseSpaces: Bool {
    switch value {
    case 0x0E00...0x109F, 0x1780...0x17FF, 0x1950...0x19FF, 0x1A20...0x1AAF, 0xA9E0...0xA9FF, 0xAA60...0xAADF:
      true
    default: false
    }
  }
}

extension StringProtocol {
  /// Whether a part of it is in a writing without spaces.
  package var isPartlyUnspaced: Bool {
    // All such characters have three bytes or more.
    utf8.contains { $0 >= 0xE0 } && unicodeScalars.contains(where: \.isUnspaced)
  }

  /// What is between the text and a word after it: a space where their writing has spaces.
  package func separator(before word: some StringProtocol) -> String {
    let isUnspaced =
      unicodeScalars.last?.isUnspaced == true && word.unicodeScalars.first?.isUnspaced == true
    return isEmpty || word.isEmpty || isUnspaced ? "" : " "
  }
}

extension Sequence where Element: StringProtocol {
  /// The words as text, with spaces between them where their writing has spaces.
  package func joinedWords() -> String {
    var text = ""
    for word in self { text += text.separator(before: word) + word }
    return text
  }
}
