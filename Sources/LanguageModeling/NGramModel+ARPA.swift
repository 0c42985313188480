import Foundation

extension NGramModel {
  /// The least logarithm that the format knows; it stands for impossible.
  private static let impossible = -99.0
  /// What is left of the likelihood of a domain's words after a word that the domain does not know.
  public static let usualShareAfterUnknown = 0.001
  private static let buffer = 1 << 20

  /// Writes the model in ARPA's format, logarithms to the base of 10, with six decimals.
  ///
  /// Where a word was said that the model does not know, nobody may be speaking of its domain at all. To a reader that
  /// takes `<unk>` for such words the file is the model as it is. One that has no word for them, such as PocketSphinx,
  /// finds single words less likely by `shareAfterUnknown`: that is taken off every word, and every known word before it,
  /// `<unk>` too, gives it back.
  /// - Parameters:
  ///   - header: lines before the model, which readers skip.
  ///   - shareAfterUnknown: above 0, at most 1.
  ///   - write: takes a part of the file.
  public func writeARPA(
    header: String = "", shareAfterUnknown: Double = 1, to write: (Data) throws -> Void
  ) rethrows {
    // Bytes in an array: `Data` takes ten times as long to grow by a few.
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
        for place in stride(from: order, through: 0, by: -1) {
          text.append(place == order ? 0x09 : 0x20)
          let word = entry.key >> (UInt64(place) * NGramCounts.bits) & NGramCounts.mask
          text += words[Int(word)]
        }
        if order < 2 {
          text.append(0x09)
          Self.append(entry.left > 0 ? log10(entry.left / share) : Self.impossible, to: &text)
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

  /// Six decimals; `String(format:)` would take longer than everything else.
  private static func append(_ value: Double, to text: inout [UInt8]) {
    let signed = Int((max(impossible, value) * 1e6).rounded())
    if signed < 0 { text.append(0x2D) }
    var rest = abs(signed)
    var digits = 0
    let start = text.count
    // From the last digit to the first, at least one of them before the point.
    while rest > 0 || digits < 7 {
      if digits == 6 { text.append(0x2E) }
      text.append(0x30 + UInt8(rest % 10))
      rest /= 10
      digits += 1
    }
    text[start...].reverse()
  }
}
