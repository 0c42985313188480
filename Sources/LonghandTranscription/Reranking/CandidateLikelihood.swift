import LonghandTranscripts

extension Candidate {
  /// How many times as sure as the words in their place the words of a candidate must be, so that a judge may choose it.
  ///
  /// No judge is trusted: the worst one must do no harm. `Benchmarks/LanguageModel/measure.py` measures what it can do, for
  /// Whisper and PocketSphinx, and `docs/measurements.md` has the figures.
  static let minRelativeConfidence = 3.0

  /// Whether the candidate's words are clearly likelier than those of the recognizer's first choice, so that only its order
  /// of the whole texts speaks against the candidate: wherever words differ, and not in marks and capitals alone, the least
  /// sure of the candidate's is `minRelativeConfidence` times as sure as the least sure of the first choice's.
  ///
  /// A candidate without words is compared as a whole. One without confidences, or one that leaves words out, is not likelier.
  func isClearlyLikelier(than first: Candidate) -> Bool {
    guard !words.isEmpty, !first.words.isEmpty else {
      return Self.isClearlySurer(confidence, than: first.confidence)
    }
    let pair = Segment(id: 0, start: 0, end: 0, candidates: [first, self])
    let differences = Set(pair.wordAlternatives.joined())
    // Added words that belong to no difference have no confidence that could be compared.
    let added = differences.reduce(0) { $0 + $1.words.count - $1.replaced.count }
    guard first.words.count + added == words.count else { return false }
    return differences.allSatisfy { other in
      let replaced = first.words[other.replaced]
      if Self.tokens(replaced) == Self.tokens(words[other.words]) { return true }
      // Where a word is unlikely, another one is as likely as none: a candidate must have words there.
      let confidences = replaced.compactMap(\.confidence)
      guard !other.words.isEmpty, confidences.count == replaced.count else { return false }
      return Self.isClearlySurer(other.confidence, than: confidences.min())
    }
  }

  private static func tokens(_ words: ArraySlice<Word>) -> [String] {
    words.map { CandidateWords.token(Substring($0.text)) }.filter { !$0.isEmpty }
  }

  private static func isClearlySurer(_ confidence: Double?, than other: Double?) -> Bool {
    guard let confidence, let other else { return false }
    return confidence >= other * minRelativeConfidence
  }
}
