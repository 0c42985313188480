import Foundation

/// What speaks for a mark after a word, as numbers for ``BoundaryModel``: the pause, by itself and against the speaker's
/// usual one, the lengthening of the word, and the words on both sides.
///
/// It looks one word ahead and not at all past a long pause, so that it is the same live and afterwards. What is usual for
/// the speaker is known from this block of the recording and the one before it, so that a part of a long recording can be
/// written without all that is before it.
struct BoundaryEvidence: Sendable {
  private static let longestPause: TimeInterval = 1.5
  /// Shorter quiet is a part of the words (stops are closed for as long).
  private static let shortestPause: TimeInterval = 0.1
  private static let steps: [TimeInterval] = [0.05, 0.15, 0.25, 0.35, 0.5, 0.7, 0.9, 1.3]

  private var pauses = RunningMean(enough: 10, before: log(0.5))
  private var lengths = RunningMean(enough: 20, before: 0)

  /// Forgets what was before the last block.
  mutating func beginBlock() {
    pauses.beginBlock()
    lengths.beginBlock()
  }

  /// The evidence after a word, in the order of the weights of ``BoundaryModel``.
  mutating func take(_ word: SentenceFormatter.Word, next: SentenceFormatter.Word) -> [Double] {
    let pause = min(max(next.start - word.end, 0), Self.longestPause)
    let isPause = pause >= Self.shortestPause
    let logPause = log(pause + 0.02)
    let relativePause = isPause ? logPause - pauses.mean : -2
    if isPause { pauses.add(logPause) }
    // A letter of English takes 65 ms on average.
    let length = log(max(word.end - word.start, 0.01) / (0.04 + 0.065 * Double(word.text.count)))
    let lengthening = length - lengths.mean
    lengths.add(length)
    let this = word.text.lowercased()
    let after = pause < Self.longestPause ? next.text.lowercased() : ""
    let words: [Bool] = [
      EnglishWords.conjunctions.contains(after), after == "and", EnglishWords.relatives.contains(after),
      EnglishWords.coordinators.contains(after), EnglishWords.open.contains(this),
      EnglishWords.conjunctions.contains(this), EnglishWords.subjects.contains(after),
      EnglishWords.open.contains(after), EnglishWords.open.contains(after) && isPause,
    ]
    return [1, logPause] + Self.steps.map { pause >= $0 ? 1 : 0 }
      + [relativePause, lengthening, isPause ? lengthening : 0] + words.map { $0 ? 1 : 0 }
  }
}

/// The mean of the values of this block and the one before it, once there are enough.
private struct RunningMean: Sendable {
  /// The mean counts from so many values on.
  let enough: Int
  /// What counts before that.
  let before: Double
  private var all = (sum: 0.0, count: 0)
  /// Of this block only.
  private var recent = (sum: 0.0, count: 0)

  init(enough: Int, before: Double) {
    self.enough = enough
    self.before = before
  }

  var mean: Double { all.count >= enough ? all.sum / Double(all.count) : before }

  mutating func add(_ value: Double) {
    all = (all.sum + value, all.count + 1)
    recent = (recent.sum + value, recent.count + 1)
  }

  mutating func beginBlock() {
    all = recent
    recent = (0, 0)
  }
}
