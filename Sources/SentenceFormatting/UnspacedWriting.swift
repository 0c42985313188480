extension Unicode.Scalar {
  /// Whether it belongs to a writing without spaces: Chinese and Japanese, with their marks.
  package var isUnspaced: Bool {
    properties.isIdeographic || (0x3000...0x30FF).contains(value) || (0xFF00...0xFF65).contains(value)
  }
}

extension Sequence where Element: StringProtocol {
  /// The words as text, with spaces between them where their writing has spaces: Chinese and Japanese have none.
  package func joinedWords() -> String {
    var text = ""
    for word in self where !word.isEmpty {
      let isUnspaced =
        text.unicodeScalars.last?.isUnspaced == true && word.unicodeScalars.first?.isUnspaced == true
      text += (text.isEmpty || isUnspaced ? "" : " ") + word
    }
    return text
  }
}
