/// What a character does in a text that is split into words.
enum WordRole {
  /// It belongs to a word, which holds this scalar for it.
  case part(Unicode.Scalar)
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
      word.startsLine = false
    }
    while let scalar = current {
      let next = scalars.next()
      let end = offset + UTF8.width(scalar)
      switch Rules.role(of: scalar, after: previous, before: next) {
      case .part(let part):
        word.bytes = (word.scalars.isEmpty ? offset : word.bytes.lowerBound)..<end
        word.scalars.append(part)
      case .ignored: break
      case .separator:
        finish()
        word.followsSeparator = true
        if scalar == "\n" || scalar == "\u{2028}" || scalar == "\u{2029}" { word.startsLine = true }
      }
      (offset, previous, current) = (end, scalar, next)
    }
    finish()
  }
}
