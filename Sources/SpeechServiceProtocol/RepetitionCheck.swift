/// Finds loops: the same words again and again, faster than they can be spoken. Networks write them where their decoder
/// is stuck.
public enum RepetitionCheck {
  private static let longestPhrase = 4
  private static let minCount = 3
  /// Words per second; fast speech has five.
  private static let maxRate = 8.0

  /// Whether the words have a loop.
  public static func hasLoop(_ words: [ServiceHypothesis.Word]) -> Bool {
    let keys = words.map { $0.text.lowercased().filter { $0.isLetter || $0.isNumber } }
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
        let seconds = words[end - 1].end - words[start].start
        if count >= minCount, Double(length * count) > maxRate * seconds { return true }
        start += 1
      }
    }
    return false
  }
}
