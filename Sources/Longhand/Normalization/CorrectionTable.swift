/// What is declared to be misheard: words in, other words out, whatever their capitals.
struct CorrectionTable: Sendable {
  /// For each heard row of words, parted by spaces, what was said.
  private var texts: [String: String] = [:]
  private var mostWords = 0

  init(_ corrections: [Vocabulary.Correction]) {
    for correction in corrections {
      let words = SpokenText(correction.heard)
      guard words.count > 0 else { continue }
      let key = words.row(0..<words.count)
      // The first of several stands.
      if texts[key] == nil { texts[key] = correction.text }
      mostWords = max(mostWords, words.count)
    }
  }

  /// Replaces what is declared, from the left, of several at a place the longest.
  func correct(_ edits: inout TextEdits) {
    guard mostWords > 0 else { return }
    let text = SpokenText(edits.original)
    var start = 0
    while start < text.count {
      var end = min(start + mostWords, text.count)
      while end > start {
        if !text.beginsLine[start + 1..<max(end, start + 1)].contains(true),
          let said = texts[text.row(start..<end)]
        {
          let place = text.places[start].lowerBound..<text.places[end - 1].upperBound
          if edits.heard(place) != said {
            edits.replace(.init(source: place, text: said, provenance: .declaredCorrection))
          }
          break
        }
        end -= 1
      }
      start = max(end, start + 1)
    }
  }
}
