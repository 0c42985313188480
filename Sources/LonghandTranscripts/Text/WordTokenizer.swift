/// What a character does in a text that is split into words.
enum WordRole {
  /// It belongs to a word, which holds this scalar for it.
  case part(Unicode.Scalar)
  /// It is the first one of a word, which holds this scalar for it, also directly after another word.
  case first(Unicode.Scalar)
  /// It is left out, and the word continues after it.
  case ignored
  /// It ends a word.
  case separator
}

/// Rules for splitting a text into words.
protocol WordRules {
  /// The role of a scalar between its neighbors, which are nil at the ends of the text.
  static func role(
    of scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> WordRole
}

/// Splits a text into words.
enum WordTokenizer<Rules: WordRules> {
  /// One word of a text.
  struct Word {
    /// The scalars of the word, as the rules give them; never empty.
    var scalars: [Unicode.Scalar] = []
    /// The position of the word in the UTF-8 of the text.
    var bytes = 0..<0
    /// Whether a separator comes before it; false only for a word at the start of the text.
    var followsSeparator = false
    /// Whether a line ends between the word before and this one.
    var startsLine = false
    /// Whether a mark that ends or encloses phrases is between the word before and this one.
    var followsMark = false
  }

  /// Calls `body` for each word of `text`, in order.
  static func forEachWord(in text: String, _ body: (Word) -> Void) {
    var word = Word()
    var offset = 0
    var previous: Unicode.Scalar?
    var scalars = text.unicodeScalars.makeIterator()
    var current = scalars.next()
    func finish() {
      guard !word.scalars.isEmpty else { return }
      body(word)
      word.scalars.removeAll(keepingCapacity: true)
      (word.startsLine, word.followsMark) = (false, false)
    }
    func add(_ part: Unicode.Scalar, upTo end: Int) {
      word.bytes = (word.scalars.isEmpty ? offset : word.bytes.lowerBound)..<end
      word.scalars.append(part)
    }
    while let scalar = current {
      let next = scalars.next()
      let end = offset + UTF8.width(scalar)
      switch Rules.role(of: scalar, after: previous, before: next) {
      case .part(let part): add(part, upTo: end)
      case .first(let part):
        finish()
        add(part, upTo: end)
      case .ignored: break
      case .separator:
        finish()
        word.followsSeparator = true
        if scalar == "\n" || scalar == "\u{2028}" || scalar == "\u{2029}" { word.startsLine = true }
        if scalar.isPhraseMark { word.followsMark = true }
      }
      (offset, previous, current) = (end, scalar, next)
    }
    finish()
  }
}

extension Unicode.Scalar {
  /// Whether it is between phrases, or around one. Points between the parts of a name, and those of Tibetan, are in phrases.
  fileprivate var isPhraseMark: Bool {
    switch properties.generalCategory {
    case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation: true
    case .otherPunctuation:
      ![0xB7, 0xF0B, 0xF0C, 0x2022, 0x2027, 0x30FB, 0xFF65].contains(value)
    default: false
    }
  }
}
