import RecognitionProtocol

/// The words of an unfinished utterance that are shown, because they will hardly change.
///
/// The end of the audio cuts a word, and a model for whole utterances ends its text there ("four." before "four of the spotted
/// fever"), or goes on with words that nobody said. Such words are unlikely, or the next decoding has others.
struct SettledWords {
  /// The confidence from which a word is shown that the decoding before did not have there, and one that it had. Fitted on 12
  /// clips of dev, decoded every 0.3 s, with 0.1 s after a new word: 3.7 % of the shown words change, and the median word comes
  /// 0.24 s after its end. If all are shown, it is 38 % and 0.14 s; if only those that two decodings have, 5.6 % and 0.44 s.
  private static let least = (new: 0.5, known: 0.3)
  /// Seconds of audio after a word that the decoding before did not have, and after one that it had, from which that is shown
  /// whatever its confidence and its duration are.
  private static let margin = (new: 0.2, known: 1.0)
  /// Letters in a second that can be spoken, and how many a word may have beyond that, because times are not exact. Where the
  /// audio ends, a network may write the window's words once more, in no time, and as one word.
  private static let fastest = (letters: 30.0, beyond: 4.0)

  private var before: [String] = []

  /// The words before the first one that is not shown.
  /// - Parameters:
  ///   - words: what the decoding found; words without confidence are shown.
  ///   - duration: seconds of the audio.
  mutating func shown(of words: [ServiceHypothesis.Word], duration: Double) -> [ServiceHypothesis.Word] {
    let letters = words.map(\.text.letters)
    let known = zip(letters, before).prefix { $0 == $1 }.count
    before = letters
    let count = words.indices.prefix { index in
      guard let confidence = words[index].confidence else { return true }
      let (word, rest) = (words[index], duration - words[index].end)
      if index < known, rest > Self.margin.known { return true }
      guard
        Double(letters[index].count) <= Self.fastest.beyond + Self.fastest.letters * (word.end - word.start)
      else { return false }
      return index < known && confidence >= Self.least.known
        || confidence >= Self.least.new && rest >= Self.margin.new
    }.count
    return Array(words.prefix(count))
  }
}
