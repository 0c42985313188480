extension RecognizedUtterance {
  /// Words a second, each counted by its confidence, that an utterance of speech has at least. Measured:
  /// utterances with one right word have 0.7 and more in quiet; what a recognizer writes into music has 0.5 and
  /// less.
  private static let leastSupport = 0.4
  /// Above this, words stand whatever it sounds like.
  private static let sureSupport = 1.0
  /// Seconds: shorter utterances are counted as so long.
  private static let shortest = 0.3

  /// Without the words that were heard in other sound than speech: those of stretches that do not sound like
  /// it, unless the recognizer is sure of the utterance, and all of them if it is sure of next to none.
  func withoutFalseWords(nonspeech: [Range<Int>]) -> RecognizedUtterance {
    guard let best = candidates.first else { return self }
    let rate = Double(SpeechSegmenter.sampleRate)
    let seconds = max(Self.shortest, Double(audio.samples.count) / rate)
    let support = best.words.reduce(0) { $0 + $1.confidence } / seconds
    guard support < Self.sureSupport else { return self }
    var result = self
    for index in candidates.indices {
      result.candidates[index].words.removeAll { word in
        let middle = Int((word.start + word.end) / 2 * rate)
        return support < Self.leastSupport || nonspeech.contains { $0.contains(middle) }
      }
    }
    let hasWords = result.candidates.first?.words.isEmpty == false
    result.candidates = hasWords ? result.candidates.filter { !$0.words.isEmpty } : []
    return result
  }
}
