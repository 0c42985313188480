import Foundation
import SpeechServiceProtocol

extension NeuralRecognizer {
  /// How much less likely than the words in its place a phrase of the vocabulary may be and still be taken, as a logarithm:
  /// a phrase that is expected counts nearly four times. Calibrated with the toy transducer (Tests/Models/README.md).
  private static let maxLoss = 1.3

  /// The search that prefers the phrases of the configuration; nil if there are none that the network can write. The
  /// confidences of words in phrases are true ones: without the bonus, which the library adds to each of their tokens.
  func biased(_ samples: [Float]) throws(NeuralError) -> [ServiceHypothesis.Word]? {
    guard engine.hasBeam, let line = hotwords?.line(configuration.contextualStrings) else { return nil }
    return try decode(samples, search: .biased(line))
  }

  /// The words with the phrases that the biased search found in their place, and that the sound supports nearly as well;
  /// nil if there are none. No other word changes.
  /// - Parameter others: the words of other windows. No phrase is taken where one has words, and not the same ones.
  func withPhrases(
    _ words: [ServiceHypothesis.Word], of biased: [ServiceHypothesis.Word],
    and others: [[ServiceHypothesis.Word]] = []
  ) -> [ServiceHypothesis.Word]? {
    var result = words
    for phrase in configuration.contextualStrings.map(Self.spoken) where !phrase.isEmpty {
      for first in biased.indices.dropLast(phrase.count - 1) {
        let found = biased[first..<first + phrase.count]
        guard found.map({ Self.spoken($0.text) }).joined().elementsEqual(phrase),
          others.allSatisfy({ agree(words, $0, at: found) })
        else { continue }
        result = Self.replaced(result, by: Array(found))
      }
    }
    return result == words ? nil : result
  }

  /// Whether the other words are the same at the time of a phrase, or none.
  private func agree(
    _ words: [ServiceHypothesis.Word], _ other: [ServiceHypothesis.Word],
    at phrase: ArraySlice<ServiceHypothesis.Word>
  ) -> Bool {
    guard let start = phrase.first?.start, let end = phrase.last?.end else { return true }
    func spoken(_ words: [ServiceHypothesis.Word]) -> [[String]] {
      words.filter { (start...end).contains(($0.start + $0.end) / 2) }.map { Self.spoken($0.text) }
    }
    let others = spoken(other)
    return others.isEmpty || others == spoken(words)
  }

  /// The words with the phrase in place of those at its time, if it is supported well enough and cuts no other word.
  static func replaced(
    _ words: [ServiceHypothesis.Word], by phrase: [ServiceHypothesis.Word]
  ) -> [ServiceHypothesis.Word] {
    guard let start = phrase.first?.start, let end = phrase.last?.end else { return words }
    let others = words.filter { ($0.start + $0.end) / 2 < start || ($0.start + $0.end) / 2 > end }
    let former = words.filter { !others.contains($0) }
    // A word that reaches into the phrase would be said twice.
    guard !others.contains(where: { min($0.end, end) - max($0.start, start) > ($0.end - $0.start) / 4 }),
      let evidence = likelihood(phrase), let formerEvidence = former.isEmpty ? 0 : likelihood(former),
      former.map(\.text) != phrase.map(\.text), evidence >= formerEvidence - maxLoss
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

  /// The logarithm of the probability of the least sure word; nil if a word has none.
  private static func likelihood(_ words: [ServiceHypothesis.Word]) -> Double? {
    let known = words.compactMap(\.confidence)
    return known.count < words.count ? nil : known.min().map { log(max($0, .leastNormalMagnitude)) }
  }

  /// The words of a text as they are compared: without case and marks.
  private static func spoken(_ text: String) -> [String] {
    text.lowercased().split(whereSeparator: \.isWhitespace)
      .map { String($0.filter { $0.isLetter || $0.isNumber || $0 == "'" }) }.filter { !$0.isEmpty }
  }
}
