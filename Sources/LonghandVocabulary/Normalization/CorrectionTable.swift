import LonghandTranscripts

/// The corrections of a vocabulary, applied to texts without regard to case.
struct CorrectionTable: Sendable {
  /// The replacement for each key of recognized words, see `SpokenText.key(_:)`.
  private var texts: [String: String] = [:]
  private var maxWords = 0

  init(_ corrections: [Vocabulary.Correction]) {
    for correction in corrections {
      let words = SpokenText(correction.recognized)
      guard words.count > 0 else { continue }
      let key = words.key()
      // The first of several corrections of the same words applies.
      if texts[key] == nil { texts[key] = correction.text }
      maxWords = max(maxWords, words.count)
    }
  }

  /// Applies the corrections from left to right; of several that fit at one word, the longest.
  func correct(_ edits: inout TextEdits) {
    guard maxWords > 0 else { return }
    let text = SpokenText(edits.original)
    var start = 0
    while start < text.count {
      var end = min(start + maxWords, text.count)
      while end > start {
        if !text.startsLine[start + 1..<max(end, start + 1)].contains(true),
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
