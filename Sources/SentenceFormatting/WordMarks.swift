import Foundation

/// How a punctuation model writes a word: its capitals, and the marks around it. It takes the place of the rules.
///
/// The mark between two words belongs to the second one: it depends on both, and the words after a segment are not known
/// when the segment is stored.
package struct WordMarks: Sendable, Hashable, Codable {
  /// Which letters are capitals.
  package enum Capitals: UInt8, Sendable, Hashable, Codable {
    case none, first, all
  }

  package var capitals: Capitals
  /// The mark between the word before and this one; nil if the model did not see the word before.
  package var before: SentenceFormatter.Mark?
  /// The mark after the word if nothing follows; nil if something follows.
  package var after: SentenceFormatter.Mark?

  package init(capitals: Capitals, before: SentenceFormatter.Mark?, after: SentenceFormatter.Mark?) {
    self.capitals = capitals
    self.before = before
    self.after = after
  }
}

extension WordMarks {
  private static let marks: [SentenceFormatter.Mark?] = [
    nil, SentenceFormatter.Mark.none, .comma, .period, .question,
  ]

  /// The marks as a number from 1 to 75; most words have a small one.
  package var code: Int {
    func number(_ mark: SentenceFormatter.Mark?) -> Int { Self.marks.firstIndex(of: mark) ?? 0 }
    return 1 + Int(capitals.rawValue) + 3 * number(before) + 15 * number(after)
  }

  /// The marks of a `code`; nil if it is none.
  package init?(code: Int) {
    guard (1...75).contains(code), let capitals = Capitals(rawValue: UInt8((code - 1) % 3)) else {
      return nil
    }
    self.init(
      capitals: capitals, before: Self.marks[(code - 1) / 3 % 5], after: Self.marks[(code - 1) / 15])
  }

  /// The marks that a model's text gives to words.
  /// - Parameters:
  ///   - words: what the model was given, in lower case, with spaces between them.
  ///   - count: how many of them, at the end, get marks; those before them are known already.
  ///   - text: the model's text.
  /// - Returns: the marks of the last words; nil if the text has other words, or the same ones in another order.
  package static func marks(ofLast count: Int, of words: [String], in text: String) -> [WordMarks]? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == words.count else { return nil }
    var marks: [WordMarks] = []
    var before: SentenceFormatter.Mark?
    for (index, (part, word)) in zip(parts, words).enumerated() {
      var bare = part
      let found = part.last.flatMap { SentenceFormatter.Mark(rawValue: String($0)) }
      if found != nil { bare.removeLast() }
      let mark = found ?? SentenceFormatter.Mark.none
      // By scalars: texts can be equal that are not written alike.
      guard bare.lowercased().unicodeScalars.elementsEqual(word.unicodeScalars) else { return nil }
      let capitals: Capitals =
        bare.count > 1 && bare == bare.uppercased() && bare != word
        ? .all : bare.first.map { $0.isUppercase } == true ? .first : .none
      marks.append(
        WordMarks(capitals: capitals, before: before, after: index == words.count - 1 ? mark : nil))
      before = mark
    }
    return marks.suffix(count)
  }
}
