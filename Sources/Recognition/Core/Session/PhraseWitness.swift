import RecognitionProtocol

/// Decides which phrases of a biased search stand: another recognizer aligns them, and the words in their place, with the same
/// audio.
///
/// Words of no phrase that the search wrote differently are not taken: nobody expected them. A phrase is kept where the evidence
/// is for it. Measured on 167 clips whose words were replaced by the one of 100, 1,000 or 10,000
/// foreign words that sounds most like them: of 38, 40 and 38 foreign words, 0, 0 and 1 fit better than what was said. In orders
/// of real people the right phrase is sometimes a little worse: "light roast" than "light rose". So a phrase that sounds the same
/// as the other words, or nearly, is kept where the search was unsure of these. What is not kept here may still be found by
/// the recognizer that knows the domain. In a language that no other recognizer aligns, the search alone decides.
enum PhraseWitness {
  typealias Word = ServiceHypothesis.Word

  /// Each difference costs an alignment.
  private static let maxDifferences = 12

  /// The hypotheses with the phrases of the first one only where the sound supports them, if a biased search found the first;
  /// otherwise as they are. What is not supported becomes an alternative.
  /// - Parameters:
  ///   - isLongList: whether the search preferred so many phrases that most of them are not said.
  ///   - align: asks the other recognizer to align texts with the audio; nil if none knows the language.
  static func confirmed(
    _ hypotheses: [ServiceHypothesis], ofLongList isLongList: Bool,
    _ align: (([[String]]) throws -> [ServiceHypothesis])?
  ) -> [ServiceHypothesis] {
    guard let biased = hypotheses.first, biased.source == .biased,
      let place = hypotheses.firstIndex(where: { $0.source != .biased })
    else { return hypotheses }
    let plain = hypotheses[place]
    var kept = biased
    kept.words = words(biased.words, plain.words) { difference in
      biased.words[difference.words].contains { $0.isOfDomain == true }
    }
    kept.words = words(kept.words, plain.words, where: supported(kept.words, plain.words, isLongList, align))
    guard kept != biased else { return hypotheses }
    var result = hypotheses
    if WordDifference.all(of: kept.words.map(\.text), and: plain.words.map(\.text)).isEmpty {
      result.remove(at: place)
      result.insert(plain, at: 0)
    } else {
      result.insert(kept, at: 0)
    }
    return result
  }

  /// Whether the evidence is for the words of a biased search in a place where it differs from the plain one.
  private static func supported(
    _ biased: [Word], _ plain: [Word], _ isLongList: Bool,
    _ align: (([[String]]) throws -> [ServiceHypothesis])?
  ) -> (WordDifference) -> Bool {
    let differences = differences(biased, plain)
    guard let align, !differences.isEmpty, differences.count <= maxDifferences else { return { _ in true } }
    let texts = [biased] + differences.map { difference in words(biased, plain) { $0 != difference } }
    guard let aligned = try? align(texts.map { $0.map(\.text) }), aligned.count == texts.count else {
      return { _ in true }
    }
    let refuted = zip(differences, aligned.dropFirst()).filter { difference, other in
      let gain = (aligned[0].score ?? -.infinity) - (other.score ?? -.infinity)
      let evidence = ReplacementEvidence(against: plain[difference.others], gain: gain)
      return evidence.probability(for: .search(isLongList: isLongList)) == nil
    }.map(\.0)
    return { !refuted.contains($0) }
  }

  /// The words of the biased text, with those of the plain one where it does not stand.
  private static func words(
    _ biased: [Word], _ plain: [Word], where stands: (WordDifference) -> Bool
  ) -> [Word] {
    var words = biased
    for difference in differences(biased, plain).reversed() where !stands(difference) {
      words.replaceSubrange(difference.words, with: plain[difference.others])
    }
    return words
  }

  /// The differences of two texts, without those of words that are only divided in another way: "arm bar".
  private static func differences(_ biased: [Word], _ plain: [Word]) -> [WordDifference] {
    WordDifference.all(of: biased.map(\.text), and: plain.map(\.text)).filter { difference in
      letters(biased[difference.words]) != letters(plain[difference.others])
    }
  }

  private static func letters(_ words: ArraySlice<Word>) -> String { words.map(\.text.letters).joined() }
}
