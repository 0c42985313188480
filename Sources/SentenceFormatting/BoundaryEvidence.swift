import Foundation

/// The evidence for a mark after a word, as numbers for ``BoundaryModel``: the pause, the words on both sides, and whether the
/// voice ends before the pause.
///
/// It looks three words back and one word ahead, and not at all past a long pause. So it is the same live and afterwards, and
/// a part of a long recording can be written without all that is before it. `Benchmarks/Sentences/train.py` lists what else
/// was measured and brings too little.
struct BoundaryEvidence: Sendable {
  private static let longestPause: TimeInterval = 1.5
  /// Shorter quiet is a part of the words (stops are closed for as long).
  static let shortestPause: TimeInterval = 0.1
  private static let steps: [TimeInterval] = [0.05, 0.15, 0.25, 0.35, 0.5, 0.7, 0.9, 1.3]

  private var phrases = PhraseEvidence()

  /// The evidence after a word, in the order of the weights of ``BoundaryModel``.
  mutating func take(_ word: SentenceFormatter.Word, next: SentenceFormatter.Word) -> [Double] {
    let pause = min(max(next.start - word.end, 0), Self.longestPause)
    let odds = phrases.take(
      word.text.lowercased(), next: pause < Self.longestPause ? next.text.lowercased() : nil)
    let isToneless = pause >= Self.shortestPause && word.voice?.isToneless == true
    return [1, log(pause + 0.02)] + Self.steps.map { pause >= $0 ? 1 : 0 }
      + [odds.end, odds.mark, isToneless ? 1 : 0]
  }
}
