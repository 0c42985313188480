/// Divides text into the tokens of a vocabulary as GPT-2 does: of two neighbouring parts, those are joined first that make the
/// token with the smallest number.
package struct TokenEncoder {
  /// What is divided by itself after an apostrophe.
  private static let endings = ["s", "t", "re", "ve", "m", "ll", "d"].map { Array($0.unicodeScalars) }

  private let numbers: [[UInt8]: Int]

  /// - Parameter tokens: the bytes of the tokens, by their numbers.
  package init(_ tokens: [[UInt8]]) {
    numbers = Dictionary(tokens.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
  }

  /// The tokens of a text; nil if it has bytes without a token.
  package func tokens(of text: String) -> [Int]? {
    var found: [Int] = []
    for part in Self.parts(of: Array(text.unicodeScalars)) {
      var pieces = part.flatMap { Array(String($0).utf8) }.map { [$0] }
      while let next = pair(of: pieces) {
        pieces[next] += pieces.remove(at: next + 1)
      }
      let tokens = pieces.compactMap { numbers[$0] }
      guard tokens.count == pieces.count else { return nil }
      found += tokens
    }
    return found
  }

  /// The first of the two pieces that are joined next; nil if none can be.
  private func pair(of pieces: [[UInt8]]) -> Int? {
    pieces.indices.dropLast()
      .compactMap { index in numbers[pieces[index] + pieces[index + 1]].map { (index, $0) } }
      .min { $0.1 < $1.1 }?.0
  }

  private enum Kind { case letter, number, space, other }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    if scalar.properties.isWhitespace { return .space }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return .letter
    case .decimalNumber, .letterNumber, .otherNumber: return .number
    default: return .other
    }
  }

  /// Words, numbers and marks, each with the space before it. No token goes across them.
  private static func parts(of text: [Unicode.Scalar]) -> [ArraySlice<Unicode.Scalar>] {
    var parts: [ArraySlice<Unicode.Scalar>] = []
    var rest = text[...]
    while let first = rest.first {
      let after = rest.dropFirst()
      if first == "'", let ending = endings.first(where: { after.starts(with: $0) }) {
        parts.append(rest.prefix(1 + ending.count))
      } else {
        let isSpaced = first == " " && after.first.map { kind($0) != .space } == true
        let word = isSpaced ? after : rest
        let own = kind(word.first ?? first)
        let run = word.prefix { kind($0) == own }.count
        // Of several spaces, the last one belongs to what follows.
        let isBeforeWord = own == .space && run > 1 && run < rest.count
        parts.append(rest.prefix((isSpaced ? 1 : 0) + run - (isBeforeWord ? 1 : 0)))
      }
      rest = rest.dropFirst(parts.last?.count ?? 1)
    }
    return parts
  }
}
