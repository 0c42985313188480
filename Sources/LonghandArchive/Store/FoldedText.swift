import Foundation

/// A text as it is searched: without case and accents, without the points and vowel signs of Arabic and Hebrew, in one width,
/// and with letters in place of those that some keyboards do not have.
struct FoldedText {
  let text: String
  private(set) var scalars: [Unicode.Scalar] = []
  /// For each scalar the character that it comes from.
  private var origins: [String.Index] = []

  init(_ text: String) {
    self.text = text
    for index in text.indices {
      for scalar in Self.folded(text[index]) {
        scalars.append(scalar)
        origins.append(index)
      }
    }
  }

  /// Whether it is that of another text, or begins with that.
  func matches(_ other: FoldedText, asPrefix: Bool) -> Bool {
    asPrefix ? scalars.starts(with: other.scalars) : scalars == other.scalars
  }

  /// Where another text is in this one.
  func range(of other: FoldedText, from start: String.Index) -> Range<String.Index>? {
    guard !other.scalars.isEmpty, let first = origins.firstIndex(where: { $0 >= start }) else { return nil }
    let place = scalars.indices[first...].first { scalars[$0...].starts(with: other.scalars) }
    guard let place else { return nil }
    return origins[place]..<text.index(after: origins[place + other.scalars.count - 1])
  }

  private static func folded(_ character: Character) -> [Unicode.Scalar] {
    if let byte = character.asciiValue { return [Unicode.Scalar(byte | (0x41...0x5A ~= byte ? 0x20 : 0))] }
    let plain = String(character).decomposedStringWithCompatibilityMapping.lowercased()
    return plain.unicodeScalars.flatMap { scalar in
      scalar.isPoint ? [] : letters[scalar].map { Array($0.unicodeScalars) } ?? [scalar]
    }
  }

  private static let letters: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
  ]

  /// What else the index may have for a word in it: the index knows case and accents, but not what is here.
  static func spellings(of word: String) -> [String] {
    let lower = word.lowercased()
    let plain = String(String.UnicodeScalarView(FoldedText(word).scalars))
    var spellings = [word]
    for other in [plain]
      + [("ss", "ß"), ("ae", "æ"), ("oe", "œ"), ("o", "ø"), ("l", "ł"), ("d", "đ")].map({
        lower.replacing($0.0, with: $0.1)
      }) + [plain.applyingTransform(.fullwidthToHalfwidth, reverse: true) ?? plain]
    where other != lower && !spellings.contains(other) {
      spellings.append(other)
    }
    return spellings
  }
}

extension Unicode.Scalar {
  /// Whether it is an accent, or a point or vowel sign of Arabic or Hebrew.
  fileprivate var isPoint: Bool {
    switch value {
    case 0x0300...0x036F, 0x0591...0x05BD, 0x05BF...0x05C7, 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670,
      0x06D6...0x06DC, 0x06DF...0x06E8, 0x06EA...0x06ED, 0x08D3...0x08FF:
      true
    default: false
    }
  }
}
