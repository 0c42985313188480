import SpeechServiceProtocol

/// Another recognizer checks the phrases that a biased search found: it aligns them, and the words in their place, with
/// the same audio.
///
/// A phrase is kept where the evidence is for it. Measured on 167 clips whose words were replaced by the one of 100, 1,000 or 10,000
/// foreign words that sounds most like them: of 38, 40 and 38 foreign words, 0, 0 and 1 fit better than what was said. In orders
/// of real people the right phrase is sometimes a little worse: "light roast" than "light rose". So a phrase that sounds the same
/// as the other words, or nearly, is kept where the search was unsure of these. What is not kept here may still be found by
/// the recognizer that knows the domain.
enum PhraseWitness {
  typealias Word = ServiceHypothesis.Word

  /// Each difference costs an alignment.
  private static let maxDifferences = 12

  /// The hypotheses with the phrases of the first one only where the sound supports them, if a biased search found the first;
  /// otherwise as they are. What is not supported becomes an alternative.
  /// - Parameters:
  ///   - isLongList: whether the search preferred so many phrases that most of them are not said.
  ///   - align: asks the other recognizer to align texts with the audio.
  static func confirmed(
    _ hypotheses: [ServiceHypothesis], ofLongList isLongList: Bool,
    _ align: ([[String]]) throws -> [ServiceHypothesis]
  ) -> [ServiceHypothesis] {
    guard let biased = hypotheses.first, biased.source == .biased,
      let place = hypotheses.firstIndex(where: { $0.source != .biased })
    else { return hypotheses }
    let plain = hypotheses[place]
    let differences = WordDifference.all(of: biased.words.map(\.text), and: plain.words.map(\.text))
    guard !differences.isEmpty, differences.count <= maxDifferences else { return hypotheses }
    let texts = [biased.words] + differences.map { words(biased, plain, without: [$0]) }
    guard let aligned = try? align(texts.map { $0.map(\.text) }), aligned.count == texts.count else {
      return hypotheses
    }
    let refuted = zip(differences, aligned.dropFirst()).filter { difference, other in
      let gain = (aligned[0].score ?? -.infinity) - (other.score ?? -.infinity)
      let evidence = ReplacementEvidence(against: plain.words[difference.others], gain: gain)
      return evidence.probability(for: .search(isLongList: isLongList)) == nil
        && letters(biased.words[difference.words]) != letters(plain.words[difference.others])
    }.map(\.0)
    guard !refuted.isEmpty else { return hypotheses }
    var result = hypotheses
    if refuted.count == differences.count {
      result.remove(at: place)
      result.insert(plain, at: 0)
    } else {
      result.insert(
        ServiceHypothesis(
          words: words(biased, plain, without: refuted), confidence: biased.confidence, source: .biased),
        at: 0)
    }
    return result
  }

  /// The letters of words that may only be divided in another way: "arm bar".
  private static func letters(_ words: ArraySlice<Word>) -> String { words.map(\.text.letters).joined() }

  /// The words of the biased hypothesis, with those of the plain one in some places.
  private static func words(
    _ biased: ServiceHypothesis, _ plain: ServiceHypothesis, without differences: [WordDifference]
  ) -> [Word] {
    var words = biased.words
    for difference in differences.reversed() {
      words.replaceSubrange(difference.words, with: plain.words[difference.others])
    }
    return words
  }
}
