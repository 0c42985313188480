import LonghandTranscripts

/// The corrections of a vocabulary, applied to texts without regard to case.
struct CorrectionTable: Sendable {
  /// The replacement for each key of recognized words, see `SpokenText.key(_:)`.
  private var texts: [String: String] = [:]
  /// The most words of a correction, by the spelling of the first one.
  private var maxWords: [String: Int] = [:]

  init(_ corrections: [Vocabulary.Correction]) {
    for correction in corrections {
      let words = SpokenText(correction.recognized)
      guard words.count > 0 else { continue }
      let key = words.key()
      // The first of several corrections of the same words applies.
      if texts[key] == nil { texts[key] = correction.text }
      let first = words.spelling(0)
      maxWords[first] = max(maxWords[first] ?? 0, words.count)
    }
  }

  /// Applies the corrections from left to right; of several that fit at one word, the longest.
  func correct(_ edits: inout TextEdits) {
    guard !maxWords.isEmpty else { return }
    let text = SpokenText(edits.original)
    var start = 0
    while start < text.count {
      var end = min(start + (maxWords[text.spelling(start)] ?? 0), text.count)
      while end > start {
        if !text.startsPhrase[start + 1..<max(end, start + 1)].contains(true),
          let said = texts[text.key(start..<end)]
        {
          let source = text.byteRanges[start].lowerBound..<text.byteRanges[end - 1].upperBound
          if edits.original(source) != said {
            edits.replace(.init(source: source, text: said, provenance: .declaredCorrection))
          }
          break
        }
        end -= 1
      }
      start = max(end, start + 1)
    }
  }
}
