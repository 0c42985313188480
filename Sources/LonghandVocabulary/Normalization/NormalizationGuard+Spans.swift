import LonghandTranscripts

extension NormalizationGuard.Changes {
  /// Every allowed difference of the model's text: the replacements, and between them punctuation and capitals. Where words
  /// were refused, the text stays up to the next word; where signs were, it stays between the words.
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
    func addMarks(_ source: Range<Int>, _ target: Range<Int>) {
      if MarksBetweenWords(old, source).may(become: MarksBetweenWords(new, target)) {
        add(source, target, nil)
      } else {
        position = (source.upperBound, target.upperBound)
      }
    }
    var word = (old: 0, new: 0)
    func addWords(upTo end: Int) {
      while word.old < end {
        let (source, target) = (oldWords.byteRanges[word.old], newWords.byteRanges[word.new])
        addMarks(position.old..<source.lowerBound, position.new..<target.lowerBound)
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
      addMarks(position.old..<source, position.new..<target)
      add(
        source..<oldWords.byteRanges[range.source.upperBound - 1].upperBound,
        target..<newWords.byteRanges[range.target.upperBound - 1].upperBound, range.score)
      word = (range.source.upperBound, range.target.upperBound)
    }
    addWords(upTo: oldWords.count)
    addMarks(position.old..<old.count, position.new..<new.count)
    return spans
  }
}

/// What is between two words of a text, or before or after all of them.
private struct MarksBetweenWords {
  private let scalars: [Unicode.Scalar]
  private let followsDigit: Bool
  private let precedesDigit: Bool

  /// Punctuation that is said, and says something.
  private static let spoken: Set<Unicode.Scalar> = [
    "%", "&", "@", "#", "*", "/", "\\", "_", "§", "¶", "‰", "‱", "′", "″", "٪", "％", "＆", "＠", "＃",
  ]
  /// Punctuation before a number that does not change it.
  private static let quotationMarks: Set<Unicode.Scalar> = ["\"", "'", "¿", "¡"]

  init(_ text: [UInt8], _ range: Range<Int>) {
    scalars = Array(String(decoding: text[range], as: UTF8.self).unicodeScalars)
    let before = text[max(0, range.lowerBound - 4)..<range.lowerBound]
    let after = text[range.upperBound..<min(text.count, range.upperBound + 4)]
    followsDigit = Self.isDigit(String(decoding: before, as: UTF8.self).unicodeScalars.last)
    precedesDigit = Self.isDigit(String(decoding: after, as: UTF8.self).unicodeScalars.first)
  }

  /// Whether other marks say the same: they differ in punctuation alone, and in none that belongs to a number.
  func may(become other: Self) -> Bool {
    if scalars == other.scalars { return true }
    let areBetweenDigits = followsDigit && precedesDigit || other.followsDigit && other.precedesDigit
    let precedeDigit = precedesDigit || other.precedesDigit
    return !areBetweenDigits && symbols == other.symbols && (!precedeDigit || sign == other.sign)
  }

  /// What is neither space nor punctuation.
  private var symbols: [Unicode.Scalar] {
    scalars.filter { scalar in
      if scalar.properties.isWhitespace { return false }
      switch scalar.properties.generalCategory {
      case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
        .finalPunctuation, .otherPunctuation:
        return Self.spoken.contains(scalar)
      default: return true
      }
    }
  }

  /// The mark directly before the next word, if it can be a part of a number.
  private var sign: Unicode.Scalar? {
    guard let last = scalars.last, !last.properties.isWhitespace, !Self.quotationMarks.contains(last) else {
      return nil
    }
    let category = last.properties.generalCategory
    return category == .openPunctuation || category == .initialPunctuation ? nil : last
  }

  private static func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar?.properties.numericType != nil }
}
