import Longhand

extension Candidate {
  /// A candidate with that text, and a word a second where it has times.
  static func reading(_ text: String, confidence: Double = 0.5, isTimed: Bool = false) -> Candidate {
    let texts = isTimed ? text.split(separator: " ").map(String.init) : []
    let words = texts.enumerated().map { index, text in
      Word(text: text, start: Double(index), end: Double(index + 1), confidence: confidence)
    }
    return Candidate(text: text, words: words, confidence: confidence)
  }
}

extension [Candidate] {
  static func readings(_ texts: String...) -> [Candidate] { texts.map { .reading($0) } }
}
