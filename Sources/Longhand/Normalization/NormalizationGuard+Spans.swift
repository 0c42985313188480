extension NormalizationGuard.Changes {
  /// Every allowed difference of the model's text: the replacements, and between them punctuation and capitals. Where words
  /// were refused, the text stays up to the next word.
  func spans(
    _ text: String, _ oldWords: SpokenText, _ result: String, _ newWords: SpokenText
  ) -> [NormalizedTranscript.Span] {
    let old = Array(text.utf8)
    let new = Array(result.utf8)
    var spans: [NormalizedTranscript.Span] = []
    var position = (old: 0, new: 0)
    func add(_ source: Range<Int>, _ target: Range<Int>, _ score: Double?) {
      defer { position = (source.upperBound, target.upperBound) }
      guard old[source] != new[target] else { return }
      spans.append(
        NormalizedTranscript.Span(
          provenance: .languageModel, source: source, target: target,
          original: String(decoding: old[source], as: UTF8.self),
          text: String(decoding: new[target], as: UTF8.self), score: score))
    }
    var word = (old: 0, new: 0)
    func addWords(upTo end: Int) {
      while word.old < end {
        let (source, target) = (oldWords.byteRanges[word.old], newWords.byteRanges[word.new])
        add(position.old..<source.lowerBound, position.new..<target.lowerBound, nil)
        add(source, target, nil)
        word = (word.old + 1, word.new + 1)
      }
    }
    let ranges =
      replacements.map { (source: $0.source, target: $0.target, score: $0.score, isAllowed: true) }
      + refused.map { (source: $0.source, target: $0.target, score: nil, isAllowed: false) }
    for range in ranges.sorted(by: {
      ($0.source.lowerBound, $0.target.lowerBound) < ($1.source.lowerBound, $1.target.lowerBound)
    }) {
      addWords(upTo: range.source.lowerBound)
      guard range.isAllowed else {
        // At the beginning of what follows, so that the text before it stays, too.
        word = (range.source.upperBound, range.target.upperBound)
        position = (oldWords.position(of: word.old), newWords.position(of: word.new))
        continue
      }
      let source = oldWords.byteRanges[range.source.lowerBound].lowerBound
      let target = newWords.byteRanges[range.target.lowerBound].lowerBound
      add(position.old..<source, position.new..<target, nil)
      add(
        source..<oldWords.byteRanges[range.source.upperBound - 1].upperBound,
        target..<newWords.byteRanges[range.target.upperBound - 1].upperBound, range.score)
      word = (range.source.upperBound, range.target.upperBound)
    }
    addWords(upTo: oldWords.count)
    add(position.old..<old.count, position.new..<new.count, nil)
    return spans
  }
}
