/// A candidate split into words, once for all selectors.
struct CandidateWords: Sendable {
  /// The index in the recognizer's candidates.
  let index: Int
  /// The candidate's text, unaltered.
  let text: String
  /// The words of the text as they are written, separated by white space.
  let words: [Substring]
  /// Each of `words` in lower case, without the punctuation around it, with straight apostrophes. Empty for all candidates
  /// but the first, because selectors search only the first.
  let tokens: [String]

  init(index: Int, text: String) {
    self.index = index
    self.text = text
    words = Self.words(text)
    tokens = index == 0 ? words.map(Self.token) : []
  }

  private static func words(_ text: String) -> [Substring] {
    // Bytes are many times faster than characters, and give the same words for ASCII.
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.split(whereSeparator: \.isWhitespace) }
    var words: [Substring] = []
    words.reserveCapacity(text.utf8.count / 5 + 1)
    var start: String.Index?
    for (byte, index) in zip(text.utf8, text.utf8.indices) {
      let isSpace = byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
      if isSpace, let begin = start {
        words.append(text[begin..<index])
        start = nil
      } else if !isSpace, start == nil {
        start = index
      }
    }
    if let start { words.append(text[start...]) }
    return words
  }

  /// The words of a text as they are compared, without those that are marks.
  static func tokens(of text: String) -> [String] { words(text).map(token).filter { !$0.isEmpty } }

  /// A word without capitals and punctuation, see `tokens`.
  static func token(_ word: Substring) -> String {
    // Most words are plain letters.
    if word.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) { return String(word) }
    if word.utf8.allSatisfy({ $0 < 0x80 }) { return token(word.utf8.drop { !isPlain($0) }) }
    let start = word.firstIndex { $0.isLetter || $0.isNumber } ?? word.endIndex
    let end = word.lastIndex { $0.isLetter || $0.isNumber }.map(word.index(after:)) ?? start
    return word[start..<max(start, end)].lowercased().replacing("\u{2019}", with: "'")
  }

  /// The token of a word of ASCII that begins with a letter or a digit.
  private static func token(_ word: Substring.UTF8View) -> String {
    var bytes = word.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    while let last = bytes.last, !isPlain(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return (lower >= 0x61 && lower <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
  }

  /// The last word of the last text that has one, as a token; nil if there is none.
  static func lastToken(of texts: [String]) -> String? {
    for text in texts.reversed() {
      let end = text.reversed().drop(while: \.isWhitespace).prefix { !$0.isWhitespace }.reversed()
      let token = token(Substring(String(end)))
      if !token.isEmpty { return token }
    }
    return nil
  }

  /// The first candidate and those that may be selected instead: each text once, not empty, and with word times if the
  /// first has them.
  static func distinct(among candidates: [Candidate]) -> [CandidateWords] {
    guard let first = candidates.first else { return [] }
    let needsTimes = hasTimes(first)
    var known: Set<String> = []
    return candidates.enumerated().compactMap { index, candidate in
      guard index == 0 || !needsTimes || hasTimes(candidate) else { return nil }
      let words = CandidateWords(index: index, text: candidate.text)
      guard index == 0 || !words.words.isEmpty else { return nil }
      return known.insert(candidate.text).inserted ? words : nil
    }
  }

  private static func hasTimes(_ candidate: Candidate) -> Bool {
    candidate.words.contains { $0.end > $0.start }
  }
}
