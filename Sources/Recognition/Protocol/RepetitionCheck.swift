/// Finds loops: the same words again and again, faster than they can be spoken. Networks write them where their decoder
/// is stuck.
public enum RepetitionCheck {
  private static let longestPhrase = 4
  /// Words that are an echo when they follow themselves in no time; fewer may be a stammer.
  private static let shortestEcho = 4
  private static let minCount = 3
  /// Words per second; fast speech has five.
  private static let maxRate = 8.0

  /// Whether the words have a loop.
  public static func hasLoop(_ words: [ServiceHypothesis.Word]) -> Bool {
    let keys = keys(of: words)
    for length in 1...longestPhrase {
      var start = 0
      while start + length * minCount <= keys.count {
        var count = 1
        while start + length * (count + 1) <= keys.count,
          keys[start..<start + length] == keys[start + length * count..<start + length * (count + 1)]
        {
          count += 1
        }
        let end = start + length * count
        if count >= minCount, isTooFast(words[start..<end]) { return true }
        start += 1
      }
    }
    return false
  }

  /// The words without echoes: a phrase of four words or more that follows itself at once, and one of the two so fast that it
  /// was not spoken. Whisper writes a last sentence twice where noise follows it.
  public static func withoutEchoes(_ words: [ServiceHypothesis.Word]) -> [ServiceHypothesis.Word] {
    var kept = words
    var keys = keys(of: words)
    var start = 0
    while start + 2 * shortestEcho <= keys.count {
      let lengths = shortestEcho...(keys.count - start) / 2
      if let length = lengths.first(where: { length in
        keys[start..<start + length] == keys[start + length..<start + 2 * length]
      }), let echo = [start + length, start].map({ $0..<$0 + length }).first(where: { isTooFast(kept[$0]) }) {
        kept.removeSubrange(echo)
        keys.removeSubrange(echo)
      } else {
        start += 1
      }
    }
    return kept
  }

  private static func keys(of words: [ServiceHypothesis.Word]) -> [String] {
    words.map { $0.text.lowercased().filter { $0.isLetter || $0.isNumber } }
  }

  private static func isTooFast(_ words: ArraySlice<ServiceHypothesis.Word>) -> Bool {
    guard let first = words.first, let last = words.last else { return false }
    return Double(words.count) > maxRate * (last.end - first.start)
  }
}
