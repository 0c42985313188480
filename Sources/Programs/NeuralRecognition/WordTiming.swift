import RecognitionProtocol

/// Keeps the times of words inside the speech: attention stays on a word until the next one, also through a pause.
package enum WordTiming {
  /// Seconds around the loud part of a word that belong to it: its ends are quiet.
  private static let margin = 0.06
  /// The shortest word, in seconds.
  private static let shortest = 0.05

  /// The words with times in the loud part of theirs.
  package static func words(
    _ words: [ServiceHypothesis.Word], within energy: SpeechEnergy
  ) -> [ServiceHypothesis.Word] {
    words.map { word in
      guard word.end - word.start > shortest, let loud = energy.longestRun(in: word.start...word.end)
      else { return word }
      var word = word
      let start = max(word.start, loud.lowerBound - margin)
      let end = min(word.end, loud.upperBound + margin)
      guard end - start >= shortest else { return word }
      word.start = start
      word.end = end
      return word
    }
  }
}
