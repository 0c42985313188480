extension Unicode.Scalar {
  /// Whether it belongs to a writing without spaces between words: Chinese and Japanese with their marks, Thai, Lao, Tibetan,
  /// Burmese and Khmer.
  package var isUnspaced: Bool { isHanOrKana || hasPhraseSpaces }

  private var isHanOrKana: Bool {
    properties.isIdeographic || (0x3000...0x30FF).contains(value) || (0xFF00...0xFF9F).contains(value)
  }

  /// As how many letters it counts: a Chinese character says as much as three of an alphabet, and others of writing without
  /// spaces as much as two.
  package var letterCount: Int { properties.isIdeographic ? 3 : isUnspaced ? 2 : 1 }

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

extension String {
  /// The characters of writing without spaces, each by itself with the marks beside it, and the words between them.
  package var unspacedParts: [String] {
    guard isPartlyUnspaced else { return [self] }
    enum Kind { case marks, character, word }
    var parts: [(text: String, kind: Kind)] = []
    for character in self {
      let isUnspaced = character.unicodeScalars.contains(where: \.isUnspaced)
      let last = parts.last?.kind
      let kind: Kind = character.isPunctuation ? .marks : isUnspaced ? .character : .word
      let goesOn =
        switch kind {
        // A bracket belongs to what follows.
        case .marks: last != nil && !(last == .character && character.isOpening)
        case .character: last == .marks
        case .word: last == .marks || last == .word
        }
      if goesOn {
        parts[parts.count - 1].text.append(character)
        if kind != .marks { parts[parts.count - 1].kind = kind }
      } else {
        parts.append((String(character), kind))
      }
    }
    return parts.map(\.text)
  }
}

extension Character {
  fileprivate var isOpening: Bool {
    let category = unicodeScalars.first?.properties.generalCategory
    return category == .openPunctuation || category == .initialPunctuation
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
