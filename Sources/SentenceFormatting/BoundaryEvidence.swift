import Foundation

/// What speaks for a mark after a word, as numbers for ``BoundaryModel``: the pause, by itself and against the speaker's
/// usual one, the words on both sides, and how the voice ends before the pause.
///
/// It looks one word ahead and not at all past a long pause, so that it is the same live and afterwards. What is usual for
/// the speaker is known from this block of the recording and the one before it, so that a part of a long recording can be
/// written without all that is before it.
struct BoundaryEvidence: Sendable {
  private static let longestPause: TimeInterval = 1.5
  /// Shorter quiet is a part of the words (stops are closed for as long).
  package static let shortestPause: TimeInterval = 0.1
  private static let steps: [TimeInterval] = [0.05, 0.15, 0.25, 0.35, 0.5, 0.7, 0.9, 1.3]

  private var pauses = RunningMean(enough: 10)
  private var levels = RunningMean(enough: 8)
  private var phrases = PhraseEvidence()

  /// Forgets what was before the last block.
  mutating func beginBlock() {
    pauses.beginBlock()
    levels.beginBlock()
  }

  /// The evidence after a word, in the order of the weights of ``BoundaryModel``.
  mutating func take(_ word: SentenceFormatter.Word, next: SentenceFormatter.Word) -> [Double] {
    let pause = min(max(next.start - word.end, 0), Self.longestPause)
    let isPause = pause >= Self.shortestPause
    let logPause = log(pause + 0.02)
    let relativePause = isPause ? logPause - (pauses.mean ?? log(0.5)) : -2
    if isPause { pauses.add(logPause) }
    let odds = phrases.take(
      word.text.lowercased(), next: pause < Self.longestPause ? next.text.lowercased() : nil)
    var voice = [0.0, 0.0]
    if isPause, let measured = word.voice {
      let level = Double(measured.level)
      voice = [level - (levels.mean ?? level), measured.isToneless ? 1 : 0]
      levels.add(level)
    }
    return [1, logPause] + Self.steps.map { pause >= $0 ? 1 : 0 } + [relativePause, odds.end, odds.mark]
      + voice
  }
}

/// The mean of the values of this block and the one before it, once there are enough.
private struct RunningMean: Sendable {
  /// The mean counts from so many values on.
  let enough: Int
  private var all = (sum: 0.0, count: 0)
  /// Of this block only.
  private var recent = (sum: 0.0, count: 0)

  init(enough: Int) { self.enough = enough }

  /// Nil until there are enough values.
  var mean: Double? { all.count >= enough ? all.sum / Double(all.count) : nil }

  mutating func add(_ value: Double) {
    all = (all.sum + value, all.count + 1)
    recent = (recent.sum + value, recent.count + 1)
  }

  mutating func beginBlock() {
    all = recent
    recent = (0, 0)
  }
}
