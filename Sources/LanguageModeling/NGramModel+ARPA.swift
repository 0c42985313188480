import Foundation

extension NGramModel {
  /// The smallest logarithm in the format, which means impossible.
  private static let impossible = -99.0
  /// The default factor for the probability of a domain's words after a word that the domain does not know.
  public static let standardShareAfterUnknown = 0.001
  private static let buffer = 1 << 20

  /// Writes the model in ARPA's format, logarithms to the base of 10, with six decimals.
  ///
  /// After a word that the model does not know, the speaker may not speak about the domain at all. Therefore the
  /// probability of each single word is multiplied by `shareAfterUnknown`, and the back-off weight of every known word,
  /// also of `<unk>`, is divided by it. A reader that replaces unknown words by `<unk>` sees the unchanged model. A reader
  /// that has no such word, as PocketSphinx, finds the domain's words less probable after an unknown word.
  /// - Parameters:
  ///   - header: lines before the model, which readers skip.
  ///   - shareAfterUnknown: above 0, at most 1.
  ///   - write: receives a part of the file.
  public func writeARPA(
    header: String = "", shareAfterUnknown: Double = 1, to write: (Data) throws -> Void
  ) rethrows {
    // An array of bytes, because appending a few bytes to `Data` takes ten times as long.
    var text = Array("\(header)\\data\\\n".utf8)
    let words = self.words.map { Array($0.utf8) }
    for (order, entries) in entries.enumerated() {
      text += "ngram \(order + 1)=\(entries.count)\n".utf8
    }
    for (order, entries) in entries.enumerated() {
      text += "\n\\\(order + 1)-grams:\n".utf8
      for entry in entries {
        let share = order == 0 ? shareAfterUnknown : 1
        Self.append(entry.probability > 0 ? log10(entry.probability * share) : Self.impossible, to: &text)
        for index in stride(from: order, through: 0, by: -1) {
          text.append(index == order ? 0x09 : 0x20)
          let word = entry.key >> (UInt64(index) * NGramCounts.bits) & NGramCounts.mask
          text += words[Int(word)]
        }
        if order < 2 {
          text.append(0x09)
          Self.append(entry.backOff > 0 ? log10(entry.backOff / share) : Self.impossible, to: &text)
        }
        text.append(0x0A)
        if text.count >= Self.buffer {
          try write(Data(text))
          text.removeAll(keepingCapacity: true)
        }
      }
    }
    text += "\n\\end\\\n".utf8
    try write(Data(text))
  }

  /// Appends a number with six decimals. `String(format:)` would take longer than everything else.
  private static func append(_ value: Double, to text: inout [UInt8]) {
    let signed = Int((max(impossible, value) * 1e6).rounded())
    if signed < 0 { text.append(0x2D) }
    var rest = abs(signed)
    var digits = 0
    let start = text.count
    // From the last digit to the first, at least one digit before the point.
    while rest > 0 || digits < 7 {
      if digits == 6 { text.append(0x2E) }
      text.append(0x30 + UInt8(rest % 10))
      rest /= 10
      digits += 1
    }
    text[start...].reverse()
  }
}
