import SentenceFormatting

/// Finds what a person typed in the text of words, whatever their capitals and the marks beside and between them.
package struct TextFinder: Sendable {
  /// Where the text is.
  package struct Match: Sendable, Hashable {
    /// The indices of the words that have it.
    package var words: Range<Int>
    /// What the first word has before it.
    package var prefix: String
    /// As it is written there.
    package var text: String
    /// What the last word has after it, such as a mark, or `'s`.
    package var suffix: String
  }

  /// The characters to find, folded; the words with a space between them.
  private let wanted: [Character]
  private let isWhole: Bool

  /// - Parameters:
  ///   - text: as it was typed. Marks at the ends of its words do not count, unless it has nothing else.
  ///   - isWhole: whether parts of longer words do not count. Writing without spaces has no such parts.
  package init(_ text: String, isWhole: Bool) {
    let parts = text.split(whereSeparator: \.isWhitespace)
    let bare = parts.map { $0.trimmingMarks }.filter { !$0.isEmpty }
    self.isWhole = isWhole && !text.isPartlyUnspaced && !bare.isEmpty
    wanted = (bare.isEmpty ? parts : bare).joined(separator: " ").map(Self.folded)
  }

  /// Whether there is nothing to find.
  package var isEmpty: Bool { wanted.isEmpty }

  /// The match at some words that have a text before it and one after it; nil if they do not.
  package static func match(
    at words: Range<Int>, of all: [String], _ prefix: String, _ suffix: String
  ) -> Match? {
    let text = Line(Array(all[words])).characters
    guard prefix.count + suffix.count <= text.count, text.starts(with: prefix),
      text.reversed().starts(with: suffix.reversed())
    else { return nil }
    let rest = text.dropFirst(prefix.count).dropLast(suffix.count)
    return Match(words: words, prefix: prefix, text: String(rest), suffix: suffix)
  }

  /// Letters and digits of ASCII in lower case that each text with a match has.
  package var surePart: String {
    let parts = String(wanted).split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return parts.max { $0.count < $1.count }.map(String.init) ?? ""
  }

  /// The places in the text of words, in order. Each word is in one of them at most.
  package func matches(in words: [String]) -> [Match] {
    guard !wanted.isEmpty else { return [] }
    let text = Line(words)
    var (matches, start): ([Match], Int) = ([], 0)
    while start < text.folded.count {
      guard let end = end(of: text, from: start), !isWhole || text.isWhole(start..<end),
        let match = text.match(start..<end)
      else {
        start += 1
        continue
      }
      matches.append(match)
      start = text.starts[match.words.upperBound]
    }
    return matches
  }

  /// Where the text ends that begins at a place; nil if it is not there.
  private func end(of line: Line, from start: Int) -> Int? {
    let text = line.folded
    var position = start
    for character in wanted {
      if character == " " {
        // Marks at the ends of words.
        while position < text.count, text[position].isMark { position += 1 }
        guard position < text.count, text[position] == " " else { return nil }
        position += 1
        while position < text.count, text[position].isMark { position += 1 }
      } else {
        guard position < text.count, text[position] == character else { return nil }
        position += 1
      }
    }
    return position
  }

  fileprivate static func folded(_ character: Character) -> Character {
    if "\u{2018}\u{2019}\u{02BC}".contains(character) { return "'" }
    let lower = character.lowercased()
    return lower.count == 1 ? Character(lower) : character
  }
}

/// The characters of words, with spaces between them where their writing has spaces.
private struct Line {
  private(set) var characters: [Character] = []
  private(set) var folded: [Character] = []
  /// The word of each character; a space belongs to the word before it.
  private var words: [Int] = []
  /// Where each word begins; the last one is the end.
  private(set) var starts: [Int] = []

  init(_ words: [String]) {
    for (index, word) in words.enumerated() {
      let isUnspaced =
        characters.last?.unicodeScalars.last?.isUnspaced == true
        && word.unicodeScalars.first?.isUnspaced == true
      if !characters.isEmpty, !isUnspaced, !word.isEmpty { add(" ", of: index - 1) }
      starts.append(characters.count)
      for character in word { add(character, of: index) }
    }
    starts.append(characters.count)
  }

  private mutating func add(_ character: Character, of word: Int) {
    characters.append(character)
    folded.append(TextFinder.folded(character))
    words.append(word)
  }

  func match(_ range: Range<Int>) -> TextFinder.Match? {
    guard let first = range.first, let last = range.last else { return nil }
    let after = words[last...].firstIndex { $0 != words[last] } ?? characters.count
    let end = after > range.upperBound && characters[after - 1] == " " ? after - 1 : after
    return TextFinder.Match(
      words: words[first]..<words[last] + 1, prefix: String(characters[starts[words[first]]..<first]),
      text: String(characters[range]),
      suffix: String(characters[range.upperBound..<max(end, range.upperBound)]))
  }

  /// What follows a word and its apostrophe in English without making it another word, as in "Anna's" and unlike "don't".
  private static let endings: Set<String> = ["s", "ll", "d", "ve", "re", "m"]

  /// Whether no letters or digits of the same words are beside a part.
  func isWhole(_ range: Range<Int>) -> Bool {
    if range.lowerBound > 0, characters[range.lowerBound - 1].isPart { return false }
    let rest = folded[range.upperBound...]
    guard let next = rest.first else { return true }
    if next.isPart { return false }
    let ending = rest.dropFirst().prefix(while: \.isPart)
    return next != "'" || ending.isEmpty || Self.endings.contains(String(ending))
  }
}

extension Character {
  /// Whether it is of a word.
  fileprivate var isPart: Bool { isLetter || isNumber }
  fileprivate var isMark: Bool { !isPart && !isWhitespace }
}

extension Substring {
  fileprivate var trimmingMarks: Substring {
    guard let first = firstIndex(where: \.isPart), let last = lastIndex(where: \.isPart) else { return "" }
    return self[first...last]
  }
}

extension TextFinder.Match {
  /// What stands in the place of the words after a replacement. It keeps what the words have beside the match, and its capitals:
  /// a small text becomes "Text" for "Word" and "TEXT" for "WORD". A text with capitals stays as it was typed, except for a word of
  /// capitals only, and so does the same word.
  package func replaced(by text: String) -> String {
    let hasLetters = [prefix, suffix].contains { $0.contains { $0.isPart } }
    // Without a word there is no place for its marks.
    guard !text.isEmpty || hasLetters else { return "" }
    func isSame(_ mark: String) -> Bool { !mark.isEmpty && mark.allSatisfy(\.isMark) }
    // A mark that was typed too is written once.
    let before = isSame(prefix) && text.hasPrefix(prefix) ? "" : prefix
    return before + capitals(for: text) + (isSame(suffix) && text.hasSuffix(suffix) ? "" : suffix)
  }

  private func capitals(for new: String) -> String {
    guard new.lowercased() != text.lowercased() else { return new }
    let letters = text.filter(\.isLetter)
    if letters.count > 1, letters.allSatisfy(\.isUppercase) { return new.uppercased() }
    guard letters != "I", letters.first?.isUppercase == true, !new.contains(where: \.isUppercase) else {
      return new
    }
    return new.withFirstCapital
  }
}
