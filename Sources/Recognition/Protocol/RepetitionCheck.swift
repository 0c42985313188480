/// Finds what a decoder that is stuck writes again: loops, which are the same words again and again, and echoes. Text alone does
/// not say that words were not said again, so words with times count only if they are faster than they can be spoken.
public enum RepetitionCheck {
  private static let longestPhrase = 4
  /// Words that are an echo when they follow themselves in no time; fewer may be a stammer.
  private static let shortestEcho = 4
  /// Real speech repeats a word three times, and a sentence twice.
  private static let minCount = 3
  /// Of tokens, which have no times: the longest phrase, and all tokens of the shortest loop.
  private static let longestTokens = 24
  private static let shortestLoop = 8
  /// Words per second; fast speech has five.
  private static let maxRate = 8.0

  /// Whether the words have a loop.
  public static func hasLoop(_ words: [ServiceHypothesis.Word]) -> Bool {
    let keys = keys(of: words)
    return keys.indices.contains { start in
      (1...longestPhrase).contains { length in
        let count = count(of: start..<start + length, in: keys, isSame: ==)
        return count >= minCount && isTooFast(words[start..<start + length * count])
      }
    }
  }

  /// The words without echoes, and the echoes: a phrase of four words or more that follows itself at once, and one of the two
  /// so fast that it was not spoken. Whisper writes a last sentence twice where noise follows it.
  public static func withoutEchoes(
    _ words: [ServiceHypothesis.Word]
  ) -> (kept: [ServiceHypothesis.Word], echoes: [ServiceHypothesis.Word]) {
    var (kept, echoes) = (words, [ServiceHypothesis.Word]())
    var keys = keys(of: words)
    var start = 0
    while start + 2 * shortestEcho <= keys.count {
      let lengths = shortestEcho...(keys.count - start) / 2
      if let length = lengths.first(where: { count(of: start..<start + $0, in: keys, isSame: ==) > 1 }),
        let echo = [start + length, start].map({ $0..<$0 + length }).first(where: { isTooFast(kept[$0]) })
      {
        echoes += kept[echo]
        kept.removeSubrange(echo)
        keys.removeSubrange(echo)
      } else {
        start += 1
      }
    }
    return (kept, echoes)
  }

  /// The tokens without the repetitions of a phrase that is written three times or more in a row; its first time stays.
  /// - Parameters:
  ///   - isSame: whether two tokens are of one text.
  ///   - rounds: how many times the phrase stays, by the tokens of all times, and of one.
  public static func withoutLoops<Token>(
    _ tokens: [Token], isSame: (Token, Token) -> Bool,
    rounds: (ArraySlice<Token>, Int) -> Int = { _, _ in 1 }
  ) -> [Token] {
    var kept: [Token] = []
    var index = 0
    while index < tokens.count {
      func count(_ length: Int) -> Int { Self.count(of: index..<index + length, in: tokens, isSame: isSame) }
      let loop = (1...longestTokens).first { length in
        let count = count(length)
        return count >= minCount && length * count >= shortestLoop
      }
      let all = tokens[index..<index + (loop.map { $0 * count($0) } ?? 1)]
      kept += all.prefix(loop.map { $0 * max(1, rounds(all, $0)) } ?? 1)
      index = all.endIndex
    }
    return kept
  }

  /// How many times a phrase that is written again and again can have been said: not what is written after that in no time. If
  /// most of them have too little time, the decoder was stuck, and one is left.
  /// - Parameters:
  ///   - starts: when each time begins, and when the last one ends, in seconds.
  ///   - words: how many words the phrase has.
  package static func possibleRounds(_ starts: [Double], words: Int) -> Int {
    let lengths = zip(starts, starts.dropFirst()).map { $1 - $0 }.sorted()
    guard let end = starts.last, !lengths.isEmpty,
      Double(words) <= maxRate * lengths[(lengths.count - 1) / 2]
    else { return 1 }
    let first = lengths.indices.first { round in
      let rest = words * (lengths.count - round)
      return rest >= shortestEcho && Double(rest) > maxRate * (end - starts[round])
    }
    return max(1, first ?? lengths.count)
  }

  /// How often a phrase is written in a row; 0 where the elements end before it does.
  private static func count<Element>(
    of phrase: Range<Int>, in elements: [Element], isSame: (Element, Element) -> Bool
  ) -> Int {
    var count = 0
    while phrase.lowerBound + phrase.count * (count + 1) <= elements.count,
      phrase.allSatisfy({ isSame(elements[$0], elements[$0 + phrase.count * count]) })
    {
      count += 1
    }
    return count
  }

  private static func keys(of words: [ServiceHypothesis.Word]) -> [String] {
    words.map { $0.text.lowercased().filter { $0.isLetter || $0.isNumber } }
  }

  private static func isTooFast(_ words: ArraySlice<ServiceHypothesis.Word>) -> Bool {
    guard let first = words.first, let last = words.last else { return false }
    return Double(words.count) > maxRate * (last.end - first.start)
  }
}
