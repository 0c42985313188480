import RecognitionProtocol

/// Decides whether the phrases that a biased search found are kept: only where the sound supports them nearly as well as the words
/// in their place.
package enum PhraseConfirmation {
  /// The words with the phrases that the biased search found in their place, and that the sound supports nearly as well;
  /// nil if there are none. No other word changes.
  /// - Parameters:
  ///   - others: the words of other windows. No phrase is taken where one has words, and neither it nor the same
  ///     ones.
  ///   - again: the words of another window with the phrases that a search in that window found; a phrase must be there, too.
  package static func words(
    _ words: [ServiceHypothesis.Word], with phrases: [String], of biased: [ServiceHypothesis.Word],
    others: [[ServiceHypothesis.Word]] = [], again: [ServiceHypothesis.Word]? = nil
  ) -> [ServiceHypothesis.Word]? {
    var result = words
    for phrase in phrases.map(spoken) where !phrase.isEmpty {
      for first in biased.indices.dropLast(phrase.count - 1) {
        let found = biased[first..<first + phrase.count]
        guard found.map({ spoken($0.text) }).joined().elementsEqual(phrase),
          others.allSatisfy({ agree(words, $0, at: found) }),
          again.map({ spoken($0, at: found).joined().elementsEqual(phrase) }) ?? true
        else { continue }
        result = replaced(
          result,
          by: found.map { word in
            var word = word
            word.isOfDomain = true
            return word
          })
      }
    }
    return result == words ? nil : result
  }

  /// Whether the other words are the same at the time of a phrase, or the phrase, or none.
  private static func agree(
    _ words: [ServiceHypothesis.Word], _ other: [ServiceHypothesis.Word],
    at phrase: ArraySlice<ServiceHypothesis.Word>
  ) -> Bool {
    let others = spoken(other, at: phrase)
    return others.isEmpty || [words, Array(phrase)].contains { others == spoken($0, at: phrase) }
  }

  /// The words at the time of a phrase, as they are compared.
  private static func spoken(
    _ words: [ServiceHypothesis.Word], at phrase: ArraySlice<ServiceHypothesis.Word>
  ) -> [[String]] {
    guard let start = phrase.first?.start, let end = phrase.last?.end else { return [] }
    return words.filter { (start...end).contains(($0.start + $0.end) / 2) }.map { spoken($0.text) }
  }

  /// The words with the phrase in place of those at its time, if it is supported well enough and cuts no other word.
  package static func replaced(
    _ words: [ServiceHypothesis.Word], by phrase: [ServiceHypothesis.Word]
  ) -> [ServiceHypothesis.Word] {
    guard let start = phrase.first?.start, let end = phrase.last?.end else { return words }
    let others = words.filter { ($0.start + $0.end) / 2 < start || ($0.start + $0.end) / 2 > end }
    let former = words.filter { !others.contains($0) }
    // A word that reaches into the phrase would be said twice.
    guard !others.contains(where: { min($0.end, end) - max($0.start, start) > ($0.end - $0.start) / 4 }),
      former.map(\.text) != phrase.map(\.text), ReplacementEvidence.isEnough(for: phrase, against: former)
    else { return words }
    // What reaches a little into the phrase ends where it begins: no two words are said at once.
    let before = others.filter { $0.start < start }.map { word in
      var word = word
      word.end = min(word.end, start)
      return word
    }
    let after = others.filter { $0.start >= start }.map { word in
      var word = word
      word.start = max(word.start, end)
      return word
    }
    return before + phrase + after
  }

  /// The words of a text as they are compared: without case and marks.
  private static func spoken(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { String($0).letters }.filter { !$0.isEmpty }
  }
}
